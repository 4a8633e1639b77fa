// N philosophers who take the fork of the smaller number first.
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif
static pthread_mutex_t forks[N];
static int seats[N];

static void* philosopher(void* seat) {
  const int left = *(int*)seat, right = (left + 1) % N;
  pthread_mutex_t* const first = &forks[left < right ? left : right];
  pthread_mutex_t* const second = &forks[left < right ? right : left];
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) {
    seats[i] = i;
    pthread_mutex_init(&forks[i], NULL);
  }
  for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, philosopher, &seats[i]);
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  return 0;
}
