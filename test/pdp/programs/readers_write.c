// race
// A reader that writes where the first execution does not come: readers exclude no readers.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int flag, x;
static void* one(void* argument) {
  pthread_rwlock_rdlock(&rw);
  x = 1;
  pthread_rwlock_unlock(&rw);
  pthread_mutex_lock(&m);
  flag = 1;
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  const int seen = flag;
  pthread_mutex_unlock(&m);
  pthread_rwlock_rdlock(&rw);
  if (!seen) x = 2;
  pthread_rwlock_unlock(&rw);
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
