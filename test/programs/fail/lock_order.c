// expect: verdict=bug kind=deadlock naive
// expect: case=one_preemption verdict=bug kind=deadlock algorithms=naive,dpor options=--preemptions=1
// expect: case=no_preemption verdict=inconclusive reason="more than 0 preemptions were left out" algorithms=naive,dpor options=--preemptions=0
// expect: case=sampled verdict=bug kind=deadlock algorithms=random,pct options=--seed=1
// Two threads take two locks in opposite order.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void* forward(void* unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b); /* ERROR */
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return NULL;
}

static void* backward(void* unused) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a); /* ERROR */
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, forward, NULL);
  pthread_create(&second, NULL, backward, NULL);
  pthread_join(first, NULL); /* ERROR */
  pthread_join(second, NULL);
  return 0;
}
