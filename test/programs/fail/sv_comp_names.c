// expect: verdict=bug kind=assertion naive
// The names that verification benchmarks use.
#include <inspect/inspect.h>
#include <pthread.h>
#include <stddef.h>

static int value;

static void __VERIFIER_atomic_add(int amount) { value += amount; }

static void* worker(void* unused) {
  __VERIFIER_atomic_add(2);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  __VERIFIER_atomic_begin();
  const int seen = value;
  __VERIFIER_atomic_end();
  __VERIFIER_assume(seen > 0);
  if (seen == 2) {
    reach_error(); /* ERROR */
  }
  pthread_join(thread, NULL);
  return 0;
}
