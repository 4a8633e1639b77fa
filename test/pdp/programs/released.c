// race
// On one side the lock is given back early.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int early = 1, x;
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  early = 0;
  x = 1;
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  const int seen = early;
  if (seen) pthread_mutex_unlock(&m);
  x = 2;
  if (!seen) pthread_mutex_unlock(&m);
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
