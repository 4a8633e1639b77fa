// race
// What the clock says depends on what came before, in the other thread too.
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void* one(void* argument) {
  struct timespec now;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (now.tv_nsec > 1000) x = 1;
  return argument;
}
static void* two(void* argument) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
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
