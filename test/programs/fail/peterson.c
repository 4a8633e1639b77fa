// expect: verdict=bug kind=data-race
// expect: case=no_turn verdict=bug kind=livelock cflags=-DNO_TURN
// Two classic slips: announcing the wish after giving the turn away lets both in; without the turn both wait for ever.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2], turn;
static int inside;

static void* worker(void* argument) {
  const long me = (long)argument, other = 1 - me;
#ifdef NO_TURN
  wants[me] = 1;
  while (wants[other]) { /* ERROR */
  }
#else
  turn = (int)other;
  wants[me] = 1;
  while (wants[other] && turn == other) {
  }
#endif
  inside++; /* ERROR */
  wants[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, (void*)0);
  pthread_create(&b, NULL, worker, (void*)1);
  pthread_join(a, NULL); /* ERROR */
  pthread_join(b, NULL);
  return 0;
}
