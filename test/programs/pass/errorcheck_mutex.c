// expect: verdict=verified naive
// An error-checking mutex reports what a normal one leaves undefined: no misuse, the program asked for the answer.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;

static void* other(void* unused) {
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &attributes);
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == EDEADLK);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  pthread_join(thread, NULL);
  assert(pthread_mutex_unlock(&mutex) == 0);
  return 0;
}
