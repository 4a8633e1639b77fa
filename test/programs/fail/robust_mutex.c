// expect: verdict=bug kind=assertion naive
// Unlocked without being made consistent, a robust mutex is lost for good.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;

static void* dies(void* unused) {
  pthread_mutex_lock(&mutex);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t thread;
  pthread_create(&thread, NULL, dies, NULL);
  pthread_join(thread, NULL);
  assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
  pthread_mutex_unlock(&mutex);
  assert(pthread_mutex_lock(&mutex) != ENOTRECOVERABLE); /* ERROR */
  return 0;
}
