// A handler that waits in a loop interrupts a loop that waits.
//
// expect: verdict=verified
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int stopped, released, over;

static void stop(int number) {
  (void)number;
  stopped = 1;
  while (!released) {
  }
}

static void* run(void* unused) {
  while (!over) {
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, stop);
  pthread_create(&thread, NULL, run, NULL);
  pthread_kill(thread, SIGUSR1);
  while (!stopped) {
  }
  released = 1;
  over = 1;
  pthread_join(thread, NULL);
  return 0;
}
