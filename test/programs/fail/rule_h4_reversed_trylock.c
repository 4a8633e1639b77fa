// expect: verdict=bug kind=assertion naive cflags=-DWINNER=1
// expect: case=second verdict=bug kind=assertion naive cflags=-DWINNER=2
// The same with trylock: the loser of one order is the winner of the other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int winner;

static void* worker(void* argument) {
  if (pthread_mutex_trylock(&mutex) == 0) winner = (int)(long)argument;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, (void*)1);
  pthread_create(&b, NULL, worker, (void*)2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(winner != WINNER); /* ERROR */
  return 0;
}
