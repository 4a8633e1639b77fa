// expect: verdict=bug kind=assertion naive
// expect: case=late verdict=bug kind=assertion cflags=-DLATE naive
// Both hold the lock, as readers: their accesses can be reversed all the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int value;

static void* setter(void* unused) {
  pthread_rwlock_rdlock(&lock);
  value = 1;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void* getter(void* unused) {
  pthread_rwlock_rdlock(&lock);
#ifdef LATE
  assert(value == 1); /* ERROR */
#else
  assert(value == 0); /* ERROR */
#endif
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, setter, NULL);
  pthread_create(&b, NULL, getter, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
