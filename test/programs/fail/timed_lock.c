// expect: verdict=bug kind=assertion naive
// expect: case=never verdict=bug kind=assertion cflags=-DNEVER naive
// Both outcomes of a timed lock are possible here, so either assertion fails.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* holder(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, holder, NULL);
  const struct timespec deadline = {.tv_sec = 4000000000};
  const int result = pthread_mutex_timedlock(&mutex, &deadline);
#ifdef NEVER
  assert(result == ETIMEDOUT); /* ERROR */
#else
  assert(result == 0); /* ERROR */
#endif
  if (result == 0) pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
