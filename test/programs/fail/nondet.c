// expect: verdict=bug kind=assertion naive
// Only one of six choices fails.
#include <assert.h>
#include <inspect/inspect.h>

int main(void) {
  const unsigned a = inspect_nondet(2), b = inspect_nondet(3);
  assert(!(a == 1 && b == 2)); /* ERROR */
  return 0;
}
