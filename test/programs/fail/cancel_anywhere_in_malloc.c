// expect: verdict=unsupported reason="asynchronous cancellation inside a call"
// The heap is half changed there, and its lock held.
#include <pthread.h>
#include <stdlib.h>

static void* volatile kept;

static void* run(void* argument) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  kept = malloc(8);
  free(kept);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  free(malloc(8));
  return 0;
}
