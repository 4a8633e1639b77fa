// expect: verdict=bug kind=memory-error naive
// The access comes first in every schedule explored in which it is harmless; without an order it is an error in all.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int seen;
static int* shared;

static void* reader(void* unused) {
  const int value = *shared; /* ERROR */
  atomic_store_explicit(&seen, 1, memory_order_relaxed);
  return value ? NULL : unused;
}

int main(void) {
  shared = malloc(sizeof *shared);
  *shared = 1;
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  if (atomic_load_explicit(&seen, memory_order_relaxed)) {
    free(shared); /* ERROR */
  }
  pthread_join(thread, NULL);
  return 0;
}
