// expect: verdict=bug kind=assertion naive
// Waits on one semaphore depend on each other in every state: who gets the one token decides.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t tokens;
static atomic_int winner;

static void* taker(void* argument) {
  if (sem_trywait(&tokens) == 0) winner = (int)(long)argument;
  return NULL;
}

int main(void) {
  sem_init(&tokens, 0, 1);
  pthread_t a, b;
  pthread_create(&a, NULL, taker, (void*)1);
  pthread_create(&b, NULL, taker, (void*)2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(winner == 1); /* ERROR */
  return 0;
}
