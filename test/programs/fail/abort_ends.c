// expect: case=bug cflags=-DABORTS verdict=bug kind=assertion
// expect: case=assertion options="--abort=end" cflags=-DASSERTS verdict=bug kind=assertion
// expect: case=later options="--abort=end" cflags="-DABORTS -DOTHER_ASSERTS" verdict=bug kind=assertion
// expect: case=exits options="--abort=end" cflags=-DEXITS verdict=bug kind=exit-status
// expect: case=section options="--abort=end" cflags="-DABORTS -DSECTION" verdict=unsupported reason="after a write in the same atomic section"
// With --abort=end neither a failed assertion nor an exit status is an end that nobody minds, nor does an abort hide what another
// thread does meanwhile.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int stopped;

static void *run(void *unused) {
  pthread_mutex_lock(&m);
  stopped = 1;
  pthread_mutex_unlock(&m);
#ifdef SECTION
  inspect_atomic_begin();
  stopped = 2;
#endif
#ifdef ABORTS
  abort();
#endif
#ifdef ASSERTS
  assert(!"here");
#endif
#ifdef EXITS
  exit(134);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
#ifdef OTHER_ASSERTS
  pthread_mutex_lock(&m);
  assert(!stopped);
  pthread_mutex_unlock(&m);
#endif
  pthread_join(thread, 0);
  return 0;
}
