// expect: verdict=verified
// expect: case=never cflags=-DNEVER verdict=bug kind=deadlock|livelock
// A flag that is waited for in a loop, and a value from outside behind it.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdatomic.h>
_Atomic int ready;
int data;
void *waiter(void *arg) {
  while (!ready) inspect_yield();
  assert(data == *(int *)arg);
  return 0;
}
int main(void) {
  pthread_t t;
  int value = __VERIFIER_nondet_int();
  pthread_create(&t, 0, waiter, &value);
  data = value;
#ifdef NEVER
  ready = value == 77 ? 0 : 1;
#else
  ready = 1;
#endif
  pthread_join(t, 0);
  return 0;
}
