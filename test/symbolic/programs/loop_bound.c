// expect: options=--unwind=3 verdict=inconclusive text="a loop goes on after 3 iterations"
// expect: options=--unwind=6 verdict=bug text="BUG: assertion"
#include <assert.h>
#include <inspect/inspect.h>
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, sum = 0;
  while (i < n) sum += i++;
  assert(sum != 15);
  return 0;
}
