// expect: verdict=verified
// expect: cflags=-DWRONG verdict=bug text="BUG: assertion"
// A structure that is returned in a register.
#include <assert.h>
#include <inspect/inspect.h>
struct pair {
  int a, b;
};
struct pair both(int a, int b) {
  struct pair result = {a, b};
  return result;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  struct pair p = both(x, 5);
  assert(p.a == x && p.b == 5);
#ifdef WRONG
  assert(p.a != 77);
#endif
  return 0;
}
