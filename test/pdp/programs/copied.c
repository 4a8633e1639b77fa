// race
// A value that another thread may change is copied, and the copy decides.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int flag, copy, x;
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  copy = flag;
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  flag = 1;
  pthread_mutex_unlock(&m);
  x = 2;
  return argument;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  if (copy) x = 1;
  pthread_join(u, 0);
  return 0;
}
