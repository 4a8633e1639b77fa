// expect: verdict=verified
// expect: cflags=-ftrapv verdict=bug text="BUG: crash: a trap"
// expect: cflags="-fsanitize=signed-integer-overflow -fsanitize-trap=all -DSMALL" verdict=verified
#include <inspect/inspect.h>
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
#ifdef SMALL
  inspect_assume(a > -1000 && a < 1000 && b > -1000 && b < 1000);
#endif
  int c = a * b + a - b;
  return c != (int)((unsigned)a * (unsigned)b + (unsigned)a - (unsigned)b);
}
