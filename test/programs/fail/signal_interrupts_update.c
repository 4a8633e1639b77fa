// expect: verdict=bug kind=assertion
// A handler that comes between the reading and the writing of a counter is forgotten.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t count, handled;

static void handle(int number) {
  count = count + 1;
  handled = 1;
}

static void* run(void* argument) {
  count = count + 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handle);
  pthread_create(&thread, 0, run, 0);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, 0);
  assert(count == 1 + handled); /* ERROR */
  return 0;
}
