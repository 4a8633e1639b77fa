// race
// Where the write goes is computed from a number.
#include <pthread.h>
#include <stdint.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static volatile uintptr_t where;
static int quiet;
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  quiet = 1;
  x = 1;
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  const int seen = quiet;
  const uintptr_t place = where;
  pthread_mutex_unlock(&m);
  if (!seen) *(int*)(place ^ 1) = 2;
  return argument;
}
int main(void) {
  pthread_t t, u;
  where = (uintptr_t)&x ^ 1;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
