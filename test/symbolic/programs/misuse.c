// expect: cflags=-DUNLOCKS verdict=bug text="an unlock of a mutex that the thread does not hold"
// expect: cflags=-DJOINS verdict=bug text="a second join of one thread"
// expect: cflags=-DFRESH verdict=bug text="a mutex that is not initialised"
// expect: cflags=-DDIVIDES verdict=bug text="division by zero"
// expect: cflags=-DSTATUS verdict=bug text="BUG: exit-status"
// expect: cflags=-DABORTS verdict=bug text="BUG: assertion: abort"
// expect: cflags=-DSELF verdict=bug text="BUG: deadlock"
// expect: cflags=-DASSUMES verdict=verified
// expect: cflags=-DTRIES verdict=unsupported text="a trylock that fails"
// expect: cflags=-DTRIES options=--no-races verdict=verified
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *run(void *unused) {
  pthread_mutex_lock(&m);
#ifdef ASSUMES
  inspect_assume(0);  // keeps the mutex for ever: no deadlock of the others
#endif
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
#if defined(UNLOCKS)
  pthread_mutex_unlock(&m);
#elif defined(FRESH)
  pthread_mutex_t fresh;
  pthread_mutex_lock(&fresh);
#elif defined(DIVIDES)
  return 5 / __VERIFIER_nondet_int() == 7 ? 0 : 0;
#elif defined(ABORTS)
  if (__VERIFIER_nondet_int() == 77) abort();
#elif defined(SELF)
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
#elif defined(ASSUMES)
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#elif defined(TRIES)
  if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m);
#endif
  pthread_join(t, 0);
#ifdef JOINS
  pthread_join(t, 0);
#endif
#ifdef STATUS
  return __VERIFIER_nondet_int() == 300;
#endif
  return 0;
}
