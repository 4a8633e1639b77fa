// expect: verdict=verified naive
// A timed join gives up only while the thread runs; it can be joined afterwards.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int finished;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  finished = 1;
  pthread_mutex_unlock(&mutex);
  return &finished;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  struct timespec deadline;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  deadline.tv_sec += 1;
  void* result = NULL;
  int error = pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &deadline);
  assert(pthread_timedjoin_np(pthread_self(), NULL, &deadline) == EDEADLK);
  if (error == ETIMEDOUT) {
    clock_gettime(CLOCK_REALTIME, &deadline);
    error = pthread_timedjoin_np(thread, &result, &deadline);
  }
  if (error) assert(error == ETIMEDOUT && !pthread_join(thread, &result));
  assert(result == &finished && finished);
  return 0;
}
