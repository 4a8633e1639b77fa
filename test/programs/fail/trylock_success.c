// expect: verdict=bug kind=assertion naive tier=slow
// expect: case=failure verdict=bug kind=assertion cflags=-DFAILURE naive
// Whoever relies on one outcome of trylock is wrong under some schedule.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* other(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
#ifdef FAILURE
  assert(pthread_mutex_trylock(&mutex) != 0); /* ERROR */
#else
  assert(pthread_mutex_trylock(&mutex) == 0); /* ERROR */
#endif
  pthread_join(thread, NULL);
  return 0;
}
