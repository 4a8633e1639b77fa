// expect: verdict=inconclusive|unsupported tier=slow
// A computation without end and without a visible operation: cut, named, and not taken for anything else.
#include <pthread.h>
#include <stddef.h>

static void* worker(void* unused) {
  volatile unsigned state = 1;
  for (;;) state = state * 3 + 1;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return 0;
}
