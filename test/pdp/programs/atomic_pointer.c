// race
// A pointer that was read, and then changed atomically, before the threads began.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int flag, x, y;
static int* p = &x;
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  flag = 1;
  y = 2;
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  const int seen = flag;
  pthread_mutex_unlock(&m);
  if (!seen) *p = 1;
  return argument;
}
int main(void) {
  pthread_t t, u;
  if (p != &x) return 1;
  __atomic_store_n(&p, &y, __ATOMIC_SEQ_CST);
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
