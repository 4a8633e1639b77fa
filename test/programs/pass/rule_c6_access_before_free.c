// expect: verdict=verified naive executions(optimal)=2
// Release and acquire order the access before the free.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int seen;
static int* shared;

static void* reader(void* unused) {
  const int value = *shared;
  atomic_store_explicit(&seen, 1, memory_order_release);
  return value ? NULL : unused;
}

int main(void) {
  shared = malloc(sizeof *shared);
  *shared = 1;
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  if (atomic_load_explicit(&seen, memory_order_acquire)) free(shared);
  pthread_join(thread, NULL);
  return 0;
}
