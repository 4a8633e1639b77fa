// expect: verdict=bug kind=data-race naive
// Writing under the read lock: two readers may be inside together.
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  hits++; /* ERROR */
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
