// N threads lock one mutex once: N! orders.
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  return 0;
}
