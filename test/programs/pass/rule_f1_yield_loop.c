// expect: verdict=verified
// expect: case=sleep verdict=verified cflags=-DSLEEP
// Polling with sched_yield, or with short sleeps.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int ready;

static void* polls(void* unused) {
#ifdef SLEEP
  while (!ready) usleep(10);
#else
  while (!ready) sched_yield();
#endif
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, polls, NULL);
  ready = 1;
  pthread_join(thread, NULL);
  return 0;
}
