// race
// An index that was read under the lock decides where the write goes.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int at, x[4];
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  at = 2;
  x[0] = 1;
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  const int i = at;
  pthread_mutex_unlock(&m);
  x[i] = 2;
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
