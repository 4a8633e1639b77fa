// race
// The same, behind an early return.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready, x;
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  ready = 1;
  x = 1;
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  const int seen = ready;
  pthread_mutex_unlock(&m);
  if (seen) return argument;
  x = 2;
  return argument;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
