// expect: verdict=verified naive
// The timed variants of the read-write lock.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;
static const struct timespec deadline = {.tv_sec = 4000000000};

static void* writer(void* unused) {
  const int result = pthread_rwlock_timedwrlock(&lock, &deadline);
  assert(result == 0 || result == ETIMEDOUT);
  if (result == 0) {
    value++;
    pthread_rwlock_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  const int result = pthread_rwlock_timedrdlock(&lock, &deadline);
  assert(result == 0 || result == ETIMEDOUT);
  if (result == 0) {
    assert(value <= 1);
    pthread_rwlock_unlock(&lock);
  }
  pthread_join(thread, NULL);
  return 0;
}
