// expect: verdict=bug kind=assertion naive
// A waiter does not hold the mutex: what others do under it comes between wait and wake.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int value, signalled;

static void* signaller(void* unused) {
  pthread_mutex_lock(&mutex);
  signalled = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void* intruder(void* unused) {
  pthread_mutex_lock(&mutex);
  value++;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, signaller, NULL);
  pthread_create(&b, NULL, intruder, NULL);
  pthread_mutex_lock(&mutex);
  const int before = value;
  while (!signalled) pthread_cond_wait(&changed, &mutex);
  assert(value == before); /* ERROR */
  pthread_mutex_unlock(&mutex);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
