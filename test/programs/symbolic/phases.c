// expect: verdict=verified
// expect: case=one cflags=-DONE verdict=bug kind=data-race|assertion
// expect: case=serial cflags=-DSERIAL verdict=bug kind=assertion
// Two threads work in two phases with a barrier between: first each writes its own number, then each reads its neighbour's. Broken: no
// barrier; the serial thread is taken for the last one.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
static pthread_barrier_t b;
static int numbers[2], seen[2];
static void work(int i) {
  numbers[i] = __VERIFIER_nondet_int();
#ifndef ONE
  const int serial = pthread_barrier_wait(&b);
#else
  const int serial = 0;
#endif
  seen[i] = numbers[1 - i];
#ifdef SERIAL
  assert(i == 1 || serial != PTHREAD_BARRIER_SERIAL_THREAD);
#endif
  (void)serial;
}
static void *run(void *unused) {
  work(1);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, run, 0);
  work(0);
  pthread_join(t, 0);
  assert(seen[0] == numbers[1] && seen[1] == numbers[0]);
  pthread_barrier_destroy(&b);
  return 0;
}
