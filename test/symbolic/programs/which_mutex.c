// expect: verdict=verified
// expect: cflags=-DBOTH verdict=unsupported text="threads wait on one condition variable, perhaps with different mutexes"
// expect: cflags=-DDESTROY verdict=unsupported text="a condition variable is destroyed before those that were woken have gone on"
// Several threads wait on one condition variable: with one mutex.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int go, go_too;
void *run(void *unused) {
  pthread_mutex_lock(&m);
  while (!go) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return unused;
}
void *too(void *unused) {
#ifdef BOTH
  pthread_mutex_lock(&n);
  while (!go_too) pthread_cond_wait(&c, &n);
  pthread_mutex_unlock(&n);
#endif
  return unused;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, run, 0);
  pthread_create(&u, 0, too, 0);
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  go = go_too = 1;
  pthread_cond_broadcast(&c);
#ifdef DESTROY
  pthread_cond_destroy(&c);
#endif
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
