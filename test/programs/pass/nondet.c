// expect: verdict=verified executions(optimal)=4 naive
// inspect_nondet tries all its values; inspect_assume keeps those that fit.
#include <assert.h>
#include <inspect/inspect.h>

int main(void) {
  const unsigned sum = inspect_nondet(2) + inspect_nondet(2);
  inspect_assume(sum != 2);
  assert(sum < 2);
  return 0;
}
