// expect: verdict=bug kind=assertion naive
// Atomic load and atomic store do not make an atomic increment.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counter;

static void* increment(void* unused) {
  const int seen = atomic_load(&counter);
  atomic_store(&counter, seen + 1);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, increment, NULL);
  pthread_create(&b, NULL, increment, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 2); /* ERROR */
  return 0;
}
