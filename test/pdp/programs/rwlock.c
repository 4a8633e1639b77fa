// no race in 1 execution
// Readers and a writer; what a reader sees decides what else it reads.
#include <pthread.h>
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;
static void* one(void* argument) {
  pthread_rwlock_wrlock(&rw);
  x = y = 1;
  pthread_rwlock_unlock(&rw);
  return argument;
}
static void* two(void* argument) {
  pthread_rwlock_rdlock(&rw);
  if (x) argument = y ? argument : 0;
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
