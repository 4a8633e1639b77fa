// expect: verdict=verified
// expect: cflags=-DPLAIN verdict=bug text="BUG: data-race"
// expect: cflags=-DNEVER verdict=bug text="BUG: deadlock"
// expect: cflags=-DCOUNTS verdict=inconclusive text="a loop goes on after 8 iterations"
// expect: cflags=-DLOCK verdict=verified
// expect: cflags="-DLOCK -DEXCHANGES" verdict=verified
// expect: cflags="-DLOCK -DEXCHANGES -DKEEPS" verdict=bug text="BUG: deadlock"
// A loop that waits for one value needs no bound.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#ifdef PLAIN
int ready;
#else
_Atomic int ready;
#endif
_Atomic int lock;
int data, turns;
void enter(void) {
#ifdef EXCHANGES
  while (atomic_exchange(&lock, 1)) sched_yield();
#else
  int expected = 0;
  while (!atomic_compare_exchange_strong(&lock, &expected, 1)) expected = 0;
#endif
}
void *run(void *unused) {
#ifdef LOCK
  enter();
  data++;
#ifndef KEEPS
  lock = 0;
#endif
#else
  data = 7;
#ifdef NEVER
  ready = 0;
#else
  ready = 1;
#endif
#endif
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
#ifdef LOCK
  enter();
  data++;
  lock = 0;
  pthread_join(t, 0);
  assert(data == 2);
#else
  while (!ready) {
#ifdef COUNTS
    turns++;
#endif
    sched_yield();
  }
  assert(data == 7);
  pthread_join(t, 0);
#endif
  return 0;
}
