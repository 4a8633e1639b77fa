// expect: verdict=verified naive executions(optimal)=1
// Joined first, then destroyed.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_mutex_init(&mutex, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  pthread_mutex_destroy(&mutex);
  return 0;
}
