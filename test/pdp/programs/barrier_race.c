// race
// What is done before the barrier on the other side.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t b;
static int flag, x;
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  flag = 1;
  x = 1;
  pthread_mutex_unlock(&m);
  pthread_barrier_wait(&b);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  const int seen = flag;
  pthread_mutex_unlock(&m);
  if (!seen) x = 2;
  pthread_barrier_wait(&b);
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
