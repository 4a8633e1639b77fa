// expect: verdict=verified
// expect: cflags=-DGREEDY verdict=bug text="BUG: deadlock"
#include <assert.h>
#include <pthread.h>
#define N 3
pthread_mutex_t forks[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int numbers[N] = {0, 1, 2};
void *dine(void *where) {
  const int i = *(int *)where, left = i, right = (i + 1) % N;
#ifdef GREEDY
  const int low = left, high = right;
#else
  const int low = left < right ? left : right, high = left < right ? right : left;
#endif
  pthread_mutex_lock(&forks[low]);
  pthread_mutex_lock(&forks[high]);
  pthread_mutex_unlock(&forks[high]);
  pthread_mutex_unlock(&forks[low]);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, dine, &numbers[i]);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
