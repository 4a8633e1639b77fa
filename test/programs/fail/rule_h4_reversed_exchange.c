// expect: verdict=bug kind=assertion naive cflags=-DWINNER=1
// expect: case=second verdict=bug kind=assertion naive cflags=-DWINNER=2
// expect: case=third verdict=bug kind=assertion naive cflags=-DWINNER=3
// A compare-exchange that failed succeeds when it comes first: each of the three can win.
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
  assert(winner != WINNER); /* ERROR */
  return 0;
}
