// no race in 1 execution
// Paths that do not return hide nothing and stand against nothing.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  assert(x < 100);
  x++;
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  if (x > 100) abort();
  x++;
  pthread_mutex_unlock(&m);
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
