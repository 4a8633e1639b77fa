// What operators, conversions, branches and first values mean, for any input.
// expect: verdict=verified
// expect: cflags=-DSHIFTS verdict=unsupported text="a shift by the width of the number or more"
// expect: cflags=-DCONSTANT verdict=bug text="a write to a constant"
// expect: cflags=-DSECOND verdict=bug text="BUG: assertion"
// expect: cflags=-DUNKNOWN verdict=unsupported text="a call to rand"
#include <assert.h>
#include <inspect/inspect.h>
#include <stdatomic.h>
#include <stdlib.h>
static const int constant = 3;
static int first = 5, table[4] = {1, 2, 3, 4};
int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > -1000 && x < 1000);
  assert((x < 0) == ((unsigned)x >= 0x80000000u));
  long wide = x;
  assert(2 * wide == x + x);
  int y = x > 3 ? 10 : 20;
  assert((y == 10) == (x > 3));
  int both = x > 3 && x < 10;
  assert(!both || (x >= 4 && x <= 9));
  assert(both || x <= 3 || x >= 10);
  switch (x & 3) {
    case 0:
      y = 7;
      break;
    case 1:
      y = 8;
#ifdef SECOND
      assert(0);
#endif
      break;
    default:
      y = 9;
  }
  assert(y == ((x & 3) == 0 ? 7 : (x & 3) == 1 ? 8 : 9));
  assert(first == 5 && table[x & 3] == (x & 3) + 1);
  table[x & 3] = x;
  assert(table[x & 3] == x && table[(x + 1) & 3] == ((x + 1) & 3) + 1);
  _Atomic int cell = 1;
  int expected = 2;
  assert(!atomic_compare_exchange_strong(&cell, &expected, 3) && expected == 1 && cell == 1);
#if defined(SHIFTS)
  first = 1 << x;
#elif defined(CONSTANT)
  *(int *)&constant = first;
#elif defined(UNKNOWN)
  first = rand();
#endif
  return 0;
}
