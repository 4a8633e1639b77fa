// no race in 1 execution
// What is behind a wait is under its mutex again.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, x;
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  x++;
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
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
