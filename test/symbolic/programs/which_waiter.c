// expect: options=--no-deadlocks verdict=bug text="BUG: assertion"
// One signal, two waiters: either may wake.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int waiting, woken;
void *wait(void *number) {
  pthread_mutex_lock(&m);
  waiting++;
  pthread_cond_wait(&c, &m);
  woken = number != 0 ? 2 : 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  static int something;
  pthread_t t[2];
  pthread_create(&t[0], 0, wait, 0);
  pthread_create(&t[1], 0, wait, &something);
  pthread_mutex_lock(&m);
  if (waiting == 2) pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  assert(woken != 2);
  pthread_mutex_unlock(&m);
  pthread_exit(0);
}
