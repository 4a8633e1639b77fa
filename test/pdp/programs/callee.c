// race
// The access stands in a function that the first execution does not call.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int wanted = 1, x;
static __attribute__((noinline)) void touch(int* what) { *what = 2; }
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  wanted = 0;
  x = 1;
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  const int seen = wanted;
  pthread_mutex_unlock(&m);
  if (seen) touch(&x);
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
