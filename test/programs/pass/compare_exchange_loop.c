// expect: verdict=verified
// expect: case=backoff verdict=verified cflags=-DBACKOFF
// Loops that try again with a new value make progress: they are not cut.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int value;

static void* worker(void* unused) {
  int seen = atomic_load(&value);
  while (!atomic_compare_exchange_strong(&value, &seen, seen + 1)) {
#ifdef BACKOFF
    for (volatile int i = 0; i < 20; i++) {
    }
#endif
  }
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(value == 3);
  return 0;
}
