// expect: verdict=bug kind=deadlock
// Three philosophers who all reach for the left fork first.
#include <pthread.h>
#include <stddef.h>

enum { N = 3 };
static pthread_mutex_t forks[N];

static void* philosopher(void* argument) {
  const long i = (long)argument;
  pthread_mutex_lock(&forks[i]);
  pthread_mutex_lock(&forks[(i + 1) % N]); /* ERROR */
  pthread_mutex_unlock(&forks[(i + 1) % N]);
  pthread_mutex_unlock(&forks[i]);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_mutex_init(&forks[i], NULL);
  for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, philosopher, (void*)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL); /* ERROR */
  return 0;
}
