// race
// How often a loop runs is read under the lock; the turn that the first execution does not make is not protected.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turns = 1, x[2];
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  turns = 0;
  x[0] = 1;
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  const int n = turns;
  pthread_mutex_unlock(&m);
  for (int i = 0; i < n; i++) x[i] = 2;
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
