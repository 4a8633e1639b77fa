// expect: verdict=verified
// expect: cflags=-DTWICE verdict=bug text="BUG: data-race"
// expect: cflags=-DNONE verdict=bug text="BUG: deadlock"
// expect: cflags=-DFRESH verdict=bug text="a semaphore that is not initialised"
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
sem_t s;
int x;
void *run(void *unused) {
  sem_wait(&s);
  x++;
  sem_post(&s);
  return unused;
}
int main(void) {
  pthread_t t[2];
#if defined(TWICE)
  sem_init(&s, 0, 2);
#elif defined(NONE)
  sem_init(&s, 0, 0);
#elif !defined(FRESH)
  sem_init(&s, 0, 1);
#endif
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(x == 2);
  sem_destroy(&s);
  return 0;
}
