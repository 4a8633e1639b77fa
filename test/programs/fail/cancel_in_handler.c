// expect: verdict=inconclusive assumption=async-signal-safe reason="a signal's handler that interrupts a thread"
#include <pthread.h>
#include <signal.h>

static pthread_t other;

static void handle(int signal) {
  (void)signal;
  pthread_cancel(other);
}

static void* wait_for_end(void* argument) {
  pthread_testcancel();
  return argument;
}

static void* work(void* argument) {
  pthread_testcancel();
  return argument;
}

int main(void) {
  signal(SIGUSR1, handle);
  pthread_t thread;
  pthread_create(&other, 0, wait_for_end, 0);
  pthread_create(&thread, 0, work, 0);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, 0);
  pthread_join(other, 0);
  return 0;
}
