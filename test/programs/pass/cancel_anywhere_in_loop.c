// A thread that turns in a loop for ever is cancelled somewhere in it.
//
// expect: verdict=verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int never, begun;

static void* worker(void* unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  atomic_store(&begun, 1);
  while (!atomic_load(&never)) {
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  void* result;
  pthread_create(&thread, NULL, worker, NULL);
  atomic_store(&begun, 2);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
}
