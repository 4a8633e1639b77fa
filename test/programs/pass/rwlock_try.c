// expect: verdict=verified naive
// The try variants: busy while the other kind is inside, never in between.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void* try_to_read(void* unused) {
  const int result = pthread_rwlock_tryrdlock(&lock);
  assert(result == 0 || result == EBUSY);
  if (result == 0) {
    assert(value != 1);
    pthread_rwlock_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, try_to_read, NULL);
  if (pthread_rwlock_trywrlock(&lock) == 0) {
    value = 1;
    value = 2;
    pthread_rwlock_unlock(&lock);
  }
  pthread_join(thread, NULL);
  return 0;
}
