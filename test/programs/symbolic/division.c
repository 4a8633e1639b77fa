// expect: verdict=verified
// expect: case=zero cflags=-DZERO verdict=bug kind=crash
// A divisor that another thread may set to zero.
#include <stdatomic.h>
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
_Atomic int divisor = 1;
int result;
void *set(void *arg) {
  int d = *(int *)arg;
#ifndef ZERO
  if (d != 0)
#endif
    divisor = d;
  return 0;
}
int main(void) {
  pthread_t t;
  int d = __VERIFIER_nondet_int();
  inspect_assume(d >= 0);
  pthread_create(&t, 0, set, &d);
  result = 1000 / divisor;
  assert(result <= 1000);
  pthread_join(t, 0);
  return 0;
}
