// A detached thread is joined by nobody.
// expect: verdict=verified
// expect: options=--encoding=step verdict=verified
// expect: cflags=-DTWICE verdict=bug text="a detach of a thread that cannot be detached at detached.c:25"
// expect: cflags=-DJOINED verdict=bug text="a detach of a thread that cannot be detached at detached.c:28"
// expect: cflags=-DJOINS verdict=bug text="a join of one that was detached at detached.c:30"
// expect: cflags=-DNONE verdict=bug text="a detach of a thread that cannot be detached at detached.c:32"
// expect: cflags=-DRACES verdict=bug text="BUG: data-race"
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int done;
static int x;
static void *run(void *unused) {
  x++;
  done = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
#ifndef JOINED
  pthread_detach(t);
#endif
#if defined(TWICE)
  pthread_detach(t);
#elif defined(JOINED)
  pthread_join(t, 0);
  pthread_detach(t);
#elif defined(JOINS)
  pthread_join(t, 0);
#elif defined(NONE)
  pthread_detach(7);
#elif defined(RACES)
  x++;
#endif
  while (!done);
  return x == 1 ? 0 : 1;
}
