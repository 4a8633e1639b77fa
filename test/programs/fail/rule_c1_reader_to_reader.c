// expect: verdict=bug kind=data-race naive
// Leaving a read lock orders later writers, not later readers.
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data;

static void* first(void* unused) {
  data = 1; /* ERROR */
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void* second(void* unused) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  return data ? unused : NULL; /* ERROR */
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
