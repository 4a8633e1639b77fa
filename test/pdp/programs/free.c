// race
// Who finds the lock taken frees what was used before it was taken: no order, but never a use of freed memory.
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int* p;
static void* one(void* argument) {
  pthread_mutex_lock(&n);
  *p = 1;
  pthread_mutex_unlock(&n);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  if (pthread_mutex_trylock(&m))
    free(p);
  else
    pthread_mutex_unlock(&m);
  return argument;
}
int main(void) {
  pthread_t t, u;
  p = malloc(sizeof *p);
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
