// race
// What one reads without the lock, the other one writes where the first execution does not come.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int quiet, x, sum;
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  quiet = 1;
  sum = x;
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  const int seen = quiet;
  pthread_mutex_unlock(&m);
  if (!seen) x = 2;
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
