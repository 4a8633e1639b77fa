// expect: verdict=verified
// expect: case=lost cflags=-DLOST verdict=bug kind=deadlock
// A signal before the wait is lost if nothing remembers it.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
int given, value;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *giver(void *arg) {
  pthread_mutex_lock(&m);
  value = *(int *)arg;
  given = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  int sent = __VERIFIER_nondet_int();
  pthread_create(&t, 0, giver, &sent);
  pthread_mutex_lock(&m);
#ifdef LOST
  pthread_cond_wait(&c, &m);
#else
  while (!given) pthread_cond_wait(&c, &m);
#endif
  assert(value == sent);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
