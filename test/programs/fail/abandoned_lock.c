// expect: verdict=bug kind=deadlock naive
// A thread ends with a lock held; the early return forgot it.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int jobs = 1;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex); /* ERROR */
  if (jobs == 0) return NULL;
  jobs--;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL); /* ERROR */
  return 0;
}
