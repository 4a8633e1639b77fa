// A signal for the process runs its handler in any thread that lets it through. Where there are several, that is not explored.
//
// expect: verdict=unsupported reason=SIGUSR1 algorithms=dpor
// expect: case=blocked cflags=-DBLOCKED verdict=verified algorithms=dpor
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int handled;

static void handle(int number) {
  (void)number;
  ++handled;
}

static void* worker(void* unused) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  kill(getpid(), SIGUSR1);
  return unused;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handle);
#ifdef BLOCKED
  sigset_t set;
  sigfillset(&set);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
#endif
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return handled != 1;
}
