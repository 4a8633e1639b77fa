// expect: verdict=verified
// expect: case=early cflags=-DEARLY verdict=bug kind=data-race|assertion
// A message and the flag that says it is there.
#include <stdatomic.h>
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
long message;
_Atomic int ready;
void *receiver(void *arg) {
  if (atomic_load_explicit(&ready, memory_order_acquire)) assert(message == *(long *)arg);
  return 0;
}
int main(void) {
  pthread_t t;
  long sent = __VERIFIER_nondet_long();
  pthread_create(&t, 0, receiver, &sent);
#ifdef EARLY
  atomic_store_explicit(&ready, 1, memory_order_release);
  message = sent;
#else
  message = sent;
  atomic_store_explicit(&ready, 1, memory_order_release);
#endif
  pthread_join(t, 0);
  return 0;
}
