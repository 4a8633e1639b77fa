// expect: verdict=verified naive
// A loop that waits is left, into an assumption that does not hold: nothing of interest, and no livelock.
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void* waits(void* unused) {
  while (!atomic_load(&x)) {
  }
  inspect_assume(atomic_load(&y));
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waits, NULL);
  x = 1;
  pthread_join(thread, NULL);
}
