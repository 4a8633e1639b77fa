// expect: verdict=verified naive
// A timed wait in a loop over the condition: it may time out, and the program knows what to do then.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* setter(void* unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, setter, NULL);
  const struct timespec deadline = {.tv_sec = 4000000000};
  pthread_mutex_lock(&mutex);
  int result = 0;
  while (!ready && result == 0) result = pthread_cond_timedwait(&changed, &mutex, &deadline);
  assert(ready || result == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
