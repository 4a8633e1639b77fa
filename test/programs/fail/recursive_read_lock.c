// expect: verdict=bug kind=deadlock naive
// With a lock that prefers writers, a reader who reads again waits behind the writer, who waits for the reader.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock;

static void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock); /* ERROR */
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void* writer(void* unused) {
  pthread_rwlock_wrlock(&lock); /* ERROR */
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&lock, &attributes);
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL); /* ERROR */
  pthread_join(b, NULL);
  return 0;
}
