// expect: verdict=verified
// expect: case=if cflags=-DIF verdict=bug kind=assertion
// expect: case=signal cflags=-DSIGNAL verdict=bug kind=deadlock
// One slot, a producer, two consumers; who is woken must look again, and all must be woken.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
int full, slot;
int values[2];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void wake(void) {
#ifdef SIGNAL
  pthread_cond_signal(&c);
#else
  pthread_cond_broadcast(&c);
#endif
}
void *consumer(void *unused) {
  pthread_mutex_lock(&m);
#ifdef IF
  if (!full) pthread_cond_wait(&c, &m);
#else
  while (!full) pthread_cond_wait(&c, &m);
#endif
  assert(full);
  assert(slot == values[0] || slot == values[1]);
  full = 0;
  wake();
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t[2];
  values[0] = __VERIFIER_nondet_int();
  values[1] = __VERIFIER_nondet_int();
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, consumer, 0);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    while (full) pthread_cond_wait(&c, &m);
    slot = values[i];
    full = 1;
    wake();
    pthread_mutex_unlock(&m);
  }
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
