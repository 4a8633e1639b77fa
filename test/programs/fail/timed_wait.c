// expect: verdict=bug kind=assertion naive
// expect: case=signalled verdict=bug kind=assertion cflags=-DSIGNALLED naive
// Time-out and signal are both possible: whoever rules out one is wrong.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void* setter(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, setter, NULL);
  const struct timespec deadline = {.tv_sec = 4000000000};
  pthread_mutex_lock(&mutex);
  const int result = pthread_cond_timedwait(&changed, &mutex, &deadline);
#ifdef SIGNALLED
  assert(result == ETIMEDOUT); /* ERROR */
#else
  assert(result == 0); /* ERROR */
#endif
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
