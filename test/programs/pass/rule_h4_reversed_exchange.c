// expect: verdict=verified naive executions(optimal)=3
// Three winners; those that fail only read and commute.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int winner;

static void* worker(void* argument) {
  int nobody = 0;
  atomic_compare_exchange_strong(&winner, &nobody, (int)(long)argument);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, (void*)(i + 1));
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(winner != 0);
  return 0;
}
