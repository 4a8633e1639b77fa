// expect: verdict=verified naive executions(optimal)=2
// The default kind lets readers in while a writer waits.
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void* writer(void* unused) {
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
