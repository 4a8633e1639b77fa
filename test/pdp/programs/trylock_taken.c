// no race
// Only who got the lock goes on.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  if (pthread_mutex_trylock(&m) == 0) {
    x = 2;
    pthread_mutex_unlock(&m);
  }
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
