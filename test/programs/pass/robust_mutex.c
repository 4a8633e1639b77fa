// expect: verdict=verified naive
// The owner of a robust mutex ends; the next one to lock is told, mends the state, and goes on.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static int balance;

static void* dies(void* unused) {
  if (pthread_mutex_lock(&mutex) == EOWNERDEAD) pthread_mutex_consistent(&mutex);
  balance = -1;
  return NULL;  // without unlocking
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t thread;
  pthread_create(&thread, NULL, dies, NULL);
  const int result = pthread_mutex_lock(&mutex);
  assert(result == 0 || result == EOWNERDEAD);
  if (result == EOWNERDEAD) {
    assert(balance == -1);
    balance = 0;
    assert(pthread_mutex_consistent(&mutex) == 0);
  }
  assert(pthread_mutex_unlock(&mutex) == 0);
  pthread_join(thread, NULL);
  return 0;
}
