// expect: verdict=verified naive
// expect: case=global verdict=verified naive cflags=-DGLOBAL
// expect: case=stored verdict=verified naive cflags=-DSTORED
// A compare-exchange in a waiting loop: one that fails writes what it found to the expected value, which is set back for the
// next attempt; one that succeeds stores the value that is there.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_int state;
static int expected;

__attribute__((noinline)) static bool attempt(int* wanted, int next) {
  return atomic_compare_exchange_strong(&state, wanted, next);
}

static void* waiter(void* unused) {
#ifdef STORED
  int none = 0;
  while (attempt(&none, 0)) {
  }
#elif defined GLOBAL
  do expected = 1;
  while (!attempt(&expected, 2));
#else
  int ready = 1;
  while (!attempt(&ready, 2)) ready = 1;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  atomic_store(&state, 1);
  pthread_join(thread, NULL);
  return expected > 1;
}
