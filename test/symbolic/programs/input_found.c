// expect: verdict=bug text="input x at input_found.c:7 = 23"
// One value of four billion fails.
#include <assert.h>
#include <inspect/inspect.h>
int main(void) {
  // The product wraps for many others.
  unsigned x = __VERIFIER_nondet_uint();
  __VERIFIER_assume(x < 1000);
  assert(x * 7 != 161);
  return 0;
}
