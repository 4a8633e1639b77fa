// expect: verdict=bug kind=assertion options=--spurious-wakeups naive
// One waiter, one signal, no loop: only a spurious wake, which POSIX allows, shows the mistake.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

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
  pthread_mutex_lock(&mutex);
  if (!ready) pthread_cond_wait(&changed, &mutex);
  assert(ready); /* ERROR */
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
