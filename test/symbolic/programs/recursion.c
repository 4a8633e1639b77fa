// expect: verdict=verified
// expect: options=--unwind=2 verdict=inconclusive text="recursion.c:6: a function calls itself more often: sum"
#include <assert.h>
static int sum(int n) {
  if (n == 0) return 0;
  return n + sum(n - 1);
}
int main(void) {
  assert(sum(5) == 15);
  return 0;
}
