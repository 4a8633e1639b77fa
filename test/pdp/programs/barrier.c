// no race
// A barrier orders.
#include <pthread.h>
static pthread_barrier_t b;
static int x;
static void* one(void* argument) {
  x = 1;
  pthread_barrier_wait(&b);
  return argument;
}
static void* two(void* argument) {
  pthread_barrier_wait(&b);
  x = 2;
  return argument;
}
int main(void) {
  pthread_t t, u;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
