// race
// The copy is made in the second turn of a loop, by a write that was told in its first.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int flag, copy, x, turns = 2;
static void* one(void* argument) {
  int seen = 0;
  pthread_mutex_lock(&m);
  for (int i = 0; i < turns; i++) {
    copy = seen;
    seen = flag;
  }
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
