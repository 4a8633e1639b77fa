// expect: verdict=verified naive
// By default a reader enters while a writer waits: the second reader gets in and lets the first go on.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t second_inside;

static void* second_reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  sem_post(&second_inside);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void* writer(void* unused) {
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  sem_init(&second_inside, 0, 0);
  pthread_rwlock_rdlock(&lock);
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, second_reader, NULL);
  sem_wait(&second_inside);
  pthread_rwlock_unlock(&lock);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
