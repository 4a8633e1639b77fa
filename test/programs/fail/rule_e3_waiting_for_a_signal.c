// expect: verdict=unsupported|inconclusive
// Who waits for a signal waits for the world outside; that is not a deadlock, and not verified either.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void* worker(void* unused) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  int number = 0;
  sigwait(&set, &number);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return 0;
}
