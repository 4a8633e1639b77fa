// expect: verdict=verified naive executions(optimal)=3
// pthread_mutex_timedlock comes back with the lock or with ETIMEDOUT; a time-out happens only while another holds the lock.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void* holder(void* unused) {
  pthread_mutex_lock(&mutex);
  value++;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, holder, NULL);
  const struct timespec deadline = {.tv_sec = 4000000000};
  const int result = pthread_mutex_timedlock(&mutex, &deadline);
  assert(result == 0 || result == ETIMEDOUT);
  if (result == 0) {
    value++;
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, NULL);
  return 0;
}
