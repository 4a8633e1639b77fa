// expect: options=--no-deadlocks verdict=unsupported text="races behind it are not known"
// The signal comes before the wake, but the store does not happen before the load.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int data, waits;
void *wake(void *unused) {
  pthread_mutex_lock(&m);
  int now = waits;
  pthread_mutex_unlock(&m);
  if (now) {
    data = 1;
    pthread_cond_signal(&c);
  }
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wake, 0);
  pthread_mutex_lock(&m);
  waits = 1;
  pthread_cond_wait(&c, &m);
  int seen = data;
  pthread_mutex_unlock(&m);
  return seen == 2;
}
