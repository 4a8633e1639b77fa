// expect: verdict=verified
// A signal that is blocked until the wait for it lets it through is not lost, whenever it comes.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int seen;

static void handle(int number) { seen = number; }

static void* waiter(void* unused) {
  sigset_t set;
  sigfillset(&set);
  sigdelset(&set, SIGUSR1);
  while (!seen) sigsuspend(&set);
  return unused;
}

int main(void) {
  pthread_t thread;
  sigset_t set;
  signal(SIGUSR1, handle);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
  return 0;
}
