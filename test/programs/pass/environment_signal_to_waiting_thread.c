// expect: verdict=verified naive
// A thread waits for signals that all block; another sends it one, before or after it begins to wait (pbzip2 ends its handler so).
// It is that thread's own: the other one that waits for the same signal gets the process's.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static sigset_t set;

static void* wait_for_two(void* unused) {
  int number = 0;
  assert(sigwait(&set, &number) == 0 && number == SIGUSR1);
  assert(sigwait(&set, &number) == 0 && number == SIGUSR2);
  return unused;
}

int main(void) {
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_two, NULL);
  assert(pthread_kill(thread, SIGUSR1) == 0);
  sigset_t pending;
  assert(sigpending(&pending) == 0 && !sigismember(&pending, SIGUSR1));
  assert(kill(getpid(), SIGUSR2) == 0);
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
