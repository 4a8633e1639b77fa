// expect: verdict=bug kind=deadlock|api-misuse naive
// A reader cannot become a writer: it would wait for itself.
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void* update(void* unused) {
  pthread_rwlock_rdlock(&lock);
  if (value == 0) {
    pthread_rwlock_wrlock(&lock); /* ERROR */
    value = 1;
    pthread_rwlock_unlock(&lock);
  }
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, update, NULL);
  pthread_join(thread, NULL); /* ERROR */
  return 0;
}
