// A block that several threads know: who comes too late finds it gone.
// expect: verdict=bug text="BUG: memory-error"
// expect: cflags=-DFREES verdict=bug text="a second free"
// expect: cflags=-DLOCKED verdict=verified
// expect: options=--encoding=step verdict=bug text="BUG: memory-error"
// expect: cflags=-DLOCKED options=--encoding=step verdict=verified
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *block) {
#if defined(FREES)
  free(block);
#elif defined(LOCKED)
  pthread_mutex_lock(&m);
  if (shared) *shared = 2;
  pthread_mutex_unlock(&m);
#else
  *(int *)block = 2;
#endif
  return 0;
}
int main(void) {
  shared = malloc(sizeof *shared);
  pthread_t t;
  pthread_create(&t, 0, run, shared);
  pthread_mutex_lock(&m);
  free(shared);
  shared = 0;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
