// expect: verdict=verified naive executions(optimal)=2
// A recursive mutex may be locked again by its owner, and is free after as many unlocks.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static int depth;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  assert(++depth == 1);
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_trylock(&mutex) == 0);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  --depth;
  assert(pthread_mutex_unlock(&mutex) == 0);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_mutex_destroy(&mutex);
  return 0;
}
