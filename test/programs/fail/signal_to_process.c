// expect: verdict=bug kind=assertion
// A signal for the process is handled by any thread that does not block it.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_t first;
static atomic_int by_first;

static void handle(int number) {
  if (pthread_equal(pthread_self(), first)) by_first = 1;
}

static void* send(void* argument) {
  kill(getpid(), SIGUSR1);
  return argument;
}

int main(void) {
  pthread_t sender;
  first = pthread_self();
  signal(SIGUSR1, handle);
  pthread_create(&sender, 0, send, 0);
  pthread_join(sender, 0);
  assert(!by_first); /* ERROR */
  return 0;
}
