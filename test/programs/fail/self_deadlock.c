// expect: verdict=bug kind=deadlock naive
// A normal mutex locked twice by one thread.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void outer(void);
static void inner(void) {
  pthread_mutex_lock(&mutex); /* ERROR */
  pthread_mutex_unlock(&mutex);
}
static void outer(void) {
  pthread_mutex_lock(&mutex);
  inner();
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  outer();
  return 0;
}
