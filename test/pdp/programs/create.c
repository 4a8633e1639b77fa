// no race in 1 execution
// What comes before creation and behind a join.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  if (x) x = 7;
  pthread_mutex_unlock(&m);
  return argument;
}
int main(void) {
  pthread_t t, u;
  x = y = 1;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return x == 0;
}
