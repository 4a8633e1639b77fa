// race
// Which of two locks a pointer names depends on what was read.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int other = 1, x;
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  other = 0;
  x = 1;
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  pthread_mutex_t* const lock = other ? &n : &m;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(lock);
  x = 2;
  pthread_mutex_unlock(lock);
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
