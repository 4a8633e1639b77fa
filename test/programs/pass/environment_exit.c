// expect: verdict=verified options=--expect-exit=7
// Exit handlers run in reverse order, each only once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;
static int order;

static void first(void) { assert(order == 1 && done <= 1); }
static void second(void) { order = 1; }

static void* worker(void* unused) {
  done = 1;
  return unused;
}

int main(void) {
  atexit(first);
  atexit(second);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_detach(thread);
  exit(7);
}
