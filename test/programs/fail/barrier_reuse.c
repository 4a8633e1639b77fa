// expect: verdict=bug kind=data-race
// The second barrier is missing: the slot is overwritten while the neighbour still reads it.
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static int values[2];

static void* worker(void* argument) {
  const long i = (long)argument;
  values[i] = 1;
  pthread_barrier_wait(&barrier);
  const int other = values[1 - i]; /* ERROR */
  values[i] = 2;                   /* ERROR */
  return other ? NULL : argument;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, (void*)0);
  pthread_create(&b, NULL, worker, (void*)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
