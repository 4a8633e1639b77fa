// expect: case=lone options="--abort=end" cflags="-DLONE" verdict=verified
// expect: case=threads options="--abort=end" verdict=verified
// expect: case=status options="--abort=end --expect-exit=3" cflags=-DSTATUS=3 verdict=verified
// expect: case=section options="--abort=end" cflags=-DSECTION verdict=verified
// With --abort=end a call of abort is an assumption that failed: the execution ends, and nobody minds its status. Others run on until
// then, and what they wait for is no deadlock.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef STATUS
#define STATUS 0
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turn;

static void assume(int condition) {
  if (!condition) abort();
}

static void *run(void *unused) {
#ifdef SECTION
  inspect_atomic_begin();
  assume(turn == 0);
  turn = 1;
  inspect_atomic_end();
#else
  pthread_mutex_lock(&m);
  assume(turn == 0);  // and the mutex stays locked
  turn = 1;
  pthread_mutex_unlock(&m);
#endif
  return unused;
}

int main(void) {
#ifdef LONE
  assume(0);
#endif
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!"both were first");
  return STATUS;
}
