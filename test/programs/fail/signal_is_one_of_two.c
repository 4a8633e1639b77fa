// A signal that a thread raises, and one of the same number that another thread sends, may be one.
//
// expect: verdict=bug kind=assertion
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int handled, sent, done;

static void handle(int number) {
  (void)number;
  handled++;
}

static void* run(void* unused) {
  raise(SIGUSR1);
  if (sent) done = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handle);
  pthread_create(&thread, NULL, run, NULL);
  pthread_kill(thread, SIGUSR1);
  sent = 1;
  pthread_join(thread, NULL);
  assert(!(done && handled == 1)); /* ERROR */
  return 0;
}
