// expect: verdict=bug kind=deadlock naive
// A signal is not remembered: sent before the wait, it is gone.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;

static void* signaller(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&go);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, signaller, NULL);
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&go, &mutex); /* ERROR */
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
