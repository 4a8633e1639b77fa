// expect: verdict=verified naive executions(optimal)=6 executions(dpor)=6
// expect: case=four verdict=verified cflags=-DN=4 executions(optimal)=24 executions(dpor)=24
// expect: case=six verdict=verified cflags=-DN=6 executions(optimal)=720 executions(dpor)=720
// expect: case=seven verdict=verified algorithms=optimal cflags=-DN=7 executions(optimal)=5040
// Every order of the lock acquisitions: N! of them.
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
