// race
// A wait gives its mutex back: what the other thread does then leads to the race.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, waits, x;
static void* one(void* argument) {
  pthread_mutex_lock(&m);
  const int seen = waits;
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  if (seen) x = 1;
  return argument;
}
static void* two(void* argument) {
  pthread_mutex_lock(&m);
  while (!ready) {
    waits = 1;
    pthread_cond_wait(&c, &m);
  }
  pthread_mutex_unlock(&m);
  x = 2;
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
