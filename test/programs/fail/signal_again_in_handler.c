// A handler that raises its signal again runs twice.
//
// expect: verdict=bug kind=assertion
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static int runs;

static void handle(int number) {
  if (++runs == 1) raise(number);
}

static void* worker(void* unused) {
  signal(SIGUSR1, handle);
  raise(SIGUSR1);
  assert(runs == 1); /* ERROR */
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
}
