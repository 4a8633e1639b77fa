// expect: verdict=bug kind=deadlock
// expect: case=apart verdict=inconclusive assumption=async-signal-safe reason="a signal's handler that interrupts a thread" cflags=-DAPART
// A handler locks the mutex that its thread holds. Where the thread does not use that mutex it is still nothing that a handler may call.
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void handle(int number) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

static void* run(void* argument) {
#ifndef APART
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handle);
  pthread_create(&thread, 0, run, 0);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, 0); /* ERROR */
  return 0;
}
