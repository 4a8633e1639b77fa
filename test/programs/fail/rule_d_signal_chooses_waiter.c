// expect: verdict=bug kind=assertion
// expect: case=second verdict=bug kind=assertion cflags=-DEXPECTED=2
// A signal wakes any one of the waiters: neither the first nor the last to wait may be counted on.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#ifndef EXPECTED
#define EXPECTED 1
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int arrived, woken;

static void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
  const int me = ++arrived;
  pthread_cond_wait(&changed, &mutex);
  if (woken == 0) woken = me;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static int both_wait(void) {
  pthread_mutex_lock(&mutex);
  const int result = arrived == 2;
  if (result) pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return result;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, waiter, NULL);
  pthread_create(&b, NULL, waiter, NULL);
  if (!both_wait()) return 0;
  pthread_mutex_lock(&mutex);
  assert(woken == 0 || woken == EXPECTED); /* ERROR */
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;  // whoever still waits then is no deadlock
}
