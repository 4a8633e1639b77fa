// expect: verdict=bug kind=assertion naive
// Exit handlers run while other threads do.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int done;

static void at_exit(void) { assert(done); /* ERROR */ }

static void* worker(void* unused) {
  done = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  atexit(at_exit);
  pthread_create(&thread, NULL, worker, NULL);
  pthread_detach(thread);
  return 0;
}
