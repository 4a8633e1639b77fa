// expect: verdict=verified
// expect: cflags=-DNO_TEST verdict=bug text="BUG: deadlock"
// expect: cflags=-DUNLOCKED verdict=unsupported text="does not hold the mutex"
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, data;
void *produce(void *unused) {
  pthread_mutex_lock(&m);
  data = 7;
  ready = 1;
#ifdef UNLOCKED
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&c);
#else
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
#endif
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, produce, 0);
  pthread_mutex_lock(&m);
#ifdef NO_TEST
  pthread_cond_wait(&c, &m);
#else
  while (!ready) pthread_cond_wait(&c, &m);
#endif
  assert(data == 7);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
