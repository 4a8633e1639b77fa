// expect: verdict=verified executions(source)=1 redundant(source)=0
// Plainly written before there is anybody who waits.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;

static void* waits(void* unused) {
  while (!atomic_load(&ready)) {
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  *(int*)&ready = 0;
  pthread_create(&thread, NULL, waits, NULL);
  atomic_store(&ready, 1);
  pthread_join(thread, NULL);
  return 0;
}
