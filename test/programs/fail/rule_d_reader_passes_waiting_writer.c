// expect: verdict=bug kind=deadlock naive
// With writer preference the second reader queues behind the writer, and the first waits for the second.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_rwlock_t lock;
static sem_t second_inside;

static void* second_reader(void* unused) {
  pthread_rwlock_rdlock(&lock); /* ERROR */
  sem_post(&second_inside);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void* writer(void* unused) {
  pthread_rwlock_wrlock(&lock); /* ERROR */
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  sem_init(&second_inside, 0, 0);
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&lock, &attributes);
  pthread_rwlock_rdlock(&lock);
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, second_reader, NULL);
  sem_wait(&second_inside); /* ERROR */
  pthread_rwlock_unlock(&lock);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
