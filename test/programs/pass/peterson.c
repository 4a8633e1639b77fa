// expect: verdict=verified
// Peterson's algorithm with sequentially consistent atomics.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2], turn;
static int inside;

static void* worker(void* argument) {
  const long me = (long)argument, other = 1 - me;
  wants[me] = 1;
  turn = (int)other;
  while (wants[other] && turn == other) {
  }
  inside++;
  wants[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, (void*)0);
  pthread_create(&b, NULL, worker, (void*)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return inside == 2 ? 0 : 1;
}
