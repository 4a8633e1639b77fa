// expect: verdict=verified
// expect: case=early cflags=-DEARLY verdict=bug kind=deadlock
// A barrier of a count and a condition variable. Broken: the last one wakes one thread only.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
unsigned arrived, results[3];
unsigned seed;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t all = PTHREAD_COND_INITIALIZER;
void meet(void) {
  pthread_mutex_lock(&m);
  if (++arrived == 3)
#ifdef EARLY
    pthread_cond_signal(&all);
#else
    pthread_cond_broadcast(&all);
#endif
  else
    while (arrived < 3) pthread_cond_wait(&all, &m);
  pthread_mutex_unlock(&m);
}
void *run(void *arg) {
  unsigned *mine = arg;
  *mine = seed * 2;
  meet();
  return 0;
}
int main(void) {
  pthread_t t[2];
  seed = __VERIFIER_nondet_uint();
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, &results[i]);
  meet();
  assert(results[0] + results[1] == seed * 4);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
