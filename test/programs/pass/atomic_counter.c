// expect: verdict=verified naive executions(optimal)=1
// expect: case=bounded verdict=verified algorithms=dpor options=--preemptions=9
// Increments whose result nobody reads commute: three threads, one class.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counter;

static void* increment(void* unused) {
  atomic_fetch_add(&counter, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, increment, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(counter == 3);
  return 0;
}
