// expect: verdict=verified executions(optimal)=6 executions(dpor)=6
// expect: case=four verdict=verified cflags=-DN=4 executions(optimal)=14 executions(dpor)=14
// expect: case=five verdict=verified cflags=-DN=5 executions(optimal)=30 executions(dpor)=30
// expect: case=six verdict=verified algorithms=optimal cflags=-DN=6 executions(optimal)=62
// expect: case=permuted verdict=verified algorithms=optimal cflags='-DN=5 -DLAST_FIRST' executions(optimal)=30
// Forks in the order of their numbers. Neighbours meet at one fork each: 2^N - 2 acyclic orders.
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif
static pthread_mutex_t forks[N];

static void* philosopher(void* argument) {
  const long i = (long)argument, j = (i + 1) % N;
  const long low = i < j ? i : j, high = i < j ? j : i;
  pthread_mutex_lock(&forks[low]);
  pthread_mutex_lock(&forks[high]);
  pthread_mutex_unlock(&forks[high]);
  pthread_mutex_unlock(&forks[low]);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_mutex_init(&forks[i], NULL);
#ifdef LAST_FIRST
  for (long i = N; i-- > 0;) pthread_create(&threads[i], NULL, philosopher, (void*)i);
#else
  for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, philosopher, (void*)i);
#endif
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  return 0;
}
