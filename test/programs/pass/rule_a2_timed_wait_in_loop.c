// expect: verdict=verified
// A time-out that only leads back to the same wait is spinning: the loop ends when the condition comes true.
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* setter(void* unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  return NULL;  // without a signal: the waiter looks again by itself
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, setter, NULL);
  const struct timespec deadline = {.tv_sec = 4000000000};
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_timedwait(&changed, &mutex, &deadline);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
