// expect: verdict=verified
// A function of the program's own is not the library's of that name.
#include <assert.h>
int pthread_mutex_lock_count;
int inspect_nondet(int n) { return n + 1; }
int __VERIFIER_assume(int c) { return c; }
int main(void) {
  __VERIFIER_assume(0);
  assert(inspect_nondet(4) == 5);
  return 0;
}
