// expect: verdict=verified
// expect: case=late cflags=-DLATE verdict=bug kind=data-race|assertion
// Dekker's flags: who says first that it wants to, and looks then, is never inside with the other. Broken: it looks first.
#include <stdatomic.h>
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
_Atomic int wants[2];
int data;
int tries(int me) {
#ifdef LATE
  int other = wants[1 - me];
  wants[me] = 1;
#else
  wants[me] = 1;
  int other = wants[1 - me];
#endif
  return !other;
}
void *second(void *arg) {
  if (tries(1)) data = *(int *)arg;
  return 0;
}
int main(void) {
  pthread_t t;
  int value = __VERIFIER_nondet_int();
  pthread_create(&t, 0, second, &value);
  if (tries(0)) {
    data = 5;
    assert(data == 5);
  }
  pthread_join(t, 0);
  return 0;
}
