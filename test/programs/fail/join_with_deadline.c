// expect: verdict=bug kind=assertion
// Whoever does not look at the result of a timed join may go on too early.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int finished;

static void* worker(void* unused) {
  atomic_store(&finished, 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 1;
  pthread_timedjoin_np(thread, NULL, &deadline);
  assert(atomic_load(&finished)); /* ERROR */
  return 0;
}
