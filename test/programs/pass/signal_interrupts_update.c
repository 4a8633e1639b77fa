// expect: verdict=verified
// The signal is blocked while the counter is changed.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t count, handled;

static void handle(int number) {
  count = count + 1;
  handled = 1;
}

static void* run(void* argument) {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  count = count + 1;
  pthread_sigmask(SIG_SETMASK, &before, 0);
  return argument;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handle);
  pthread_create(&thread, 0, run, 0);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, 0);
  assert(count == 1 + handled);
  return 0;
}
