// Barriers: nobody leaves before all have arrived, one of them is the serial thread, rounds do not mix.
// expect: verdict=verified
// expect: options=--encoding=step verdict=verified
// expect: cflags=-DWITHOUT verdict=bug text="BUG: assertion"
// expect: cflags=-DALONE verdict=bug text="BUG: deadlock"
// expect: cflags=-DMAIN verdict=bug text="BUG: assertion"
// expect: cflags=-DFRESH verdict=bug text="a barrier that is not initialised"
// expect: cflags=-DEARLY verdict=bug text="BUG: api-misuse: a barrier "
// expect: cflags=-DNUMBERS verdict=unsupported text="a barrier that is initialised for different numbers of threads"
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t b;
static int mine[2], serials[2][2];
static void wait(int i, int round) {
#ifndef WITHOUT
  serials[round][i] = pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD;
#endif
}
static void *run(void *unused) {
  mine[1] = 1;
  wait(1, 0);
  assert(mine[0] == 1);
#ifndef ALONE
  wait(1, 1);
#endif
  mine[1] = 2;
  return unused;
}
int main(void) {
#ifndef FRESH
  pthread_barrier_init(&b, 0, 2);
#endif
#ifdef NUMBERS
  pthread_barrier_destroy(&b);
  pthread_barrier_init(&b, 0, 3);
#endif
  pthread_t t;
  pthread_create(&t, 0, run, 0);
#ifdef EARLY
  pthread_barrier_destroy(&b);
#endif
  mine[0] = 1;
  wait(0, 0);
  assert(mine[1] == 1);
  wait(0, 1);
  mine[0] = 2;
#ifdef MAIN
  assert(serials[0][0] || !serials[1][0]);
#endif
  pthread_join(t, 0);
#ifndef WITHOUT
  assert(serials[0][0] + serials[0][1] == 1 && serials[1][0] + serials[1][1] == 1);
#endif
  pthread_barrier_destroy(&b);
  return 0;
}
