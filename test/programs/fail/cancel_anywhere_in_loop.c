// A thread turns in a loop for ever, and nobody cancels it. Cancelled, it may have written last.
//
// expect: verdict=bug kind=livelock algorithms=dpor,source
// expect: case=last cflags=-DCANCELLED verdict=bug kind=assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int never, begun;

static void* worker(void* unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  atomic_store(&begun, 1);
  while (!atomic_load(&never)) { /* ERROR */
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  void* result;
  pthread_create(&thread, NULL, worker, NULL);
  atomic_store(&begun, 2);
#ifdef CANCELLED
  pthread_cancel(thread);
#endif
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
  assert(atomic_load(&begun) == 2); /* ERROR */
}
