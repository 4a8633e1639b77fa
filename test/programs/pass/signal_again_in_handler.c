// A signal that its own handler raises waits until the handler is left. One that waits is gone when it is ignored.
//
// expect: verdict=verified
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static int runs, depth, deepest;

static void handle(int number) {
  if (++depth > deepest) deepest = depth;
  if (++runs < 3) raise(number);
  --depth;
}

static void* worker(void* unused) {
  raise(SIGUSR1);
  assert(runs == 3 && deepest == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  sigset_t set, waiting;
  signal(SIGUSR1, handle);
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  raise(SIGUSR1);
  signal(SIGUSR1, SIG_IGN);
  assert(sigpending(&waiting) == 0 && !sigismember(&waiting, SIGUSR1));
  signal(SIGUSR1, handle);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  assert(runs == 3);
}
