// A second signal comes while the first one is handled, and waits until then; meanwhile its sender writes, too.
//
// expect: verdict=bug kind=assertion naive
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int value;
static int seen;

static void increment(int number) {
  (void)number;
  const int before = value;
  value = before + 1;
}

static void* look(void* unused) {
  seen = value;
  return unused;
}

int main(void) {
  pthread_t receiver;
  signal(SIGUSR1, increment);
  pthread_create(&receiver, NULL, look, NULL);
  pthread_kill(receiver, SIGUSR1);
  value = 5;  // lost where the first handler has read before and writes behind it
  pthread_kill(receiver, SIGUSR1);
  pthread_join(receiver, NULL);
  assert(!(value == 2 && seen == 1)); /* ERROR */
  return 0;
}
