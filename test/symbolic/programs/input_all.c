// expect: verdict=verified
#include <assert.h>
#include <inspect/inspect.h>
int main(void) {
  int x = __VERIFIER_nondet_int();
  signed char c = (signed char)x;
  short s = c;
  long l = s;
  __VERIFIER_assume(x >= -100 && x <= 100);
  assert(l == x && c >= -100 && (unsigned char)c == (x & 255));
  assert((x / 7) * 7 + x % 7 == x && x % 7 > -7);
  assert(((unsigned)x >> 31) == (x < 0));
  assert((x >> 1) * 2 + (x & 1) == x);
  switch (x) {
    case 3: assert(x == 3); break;
    case 4:
    case 5: assert(x < 6 && x > 3); break;
    default: assert(x < 3 || x > 5);
  }
  return 0;
}
