// A signal for the process is handled once, by a thread that lives: the one that might have taken it may have ended.
//
// expect: verdict=verified
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int handled;

static void handle(int number) {
  (void)number;
  handled++;
}

static void* pass_by(void* argument) { return argument; }

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handle);
  pthread_create(&thread, NULL, pass_by, NULL);
  kill(getpid(), SIGUSR1);
  pthread_join(thread, NULL);
  assert(handled == 1);
  return 0;
}
