// expect: verdict=bug kind=assertion naive
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
  const int result = pthread_mutex_trylock(&mutex);
#ifdef FAILURE
  assert(result != 0); /* ERROR */
#else
  assert(result == 0); /* ERROR */
#endif
  if (result == 0) pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
