// expect: verdict=unsupported reason=outside
// expect: case=own verdict=unsupported reason=outside cflags=-DOWN
// A loop waits for a thread that waits for the world outside: that may wake it, so this is no livelock. Nor is it one if the program has
// sent the signal itself, too early.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int done, other;

static void handle(int number) { other = number; }

static void* worker(void* unused) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  int number = 0;
  sigwait(&set, &number);
  done = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handle);
#ifdef OWN
  raise(SIGUSR1);
#endif
  pthread_create(&thread, NULL, worker, NULL);
  while (!done && other < 100) {
  }
  pthread_join(thread, NULL);
  return 0;
}
