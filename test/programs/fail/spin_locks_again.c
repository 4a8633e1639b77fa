// expect: verdict=bug|inconclusive kind=assertion options=--max-steps=100
// Each turn of the loop takes a recursive lock once more: none is in vain.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static atomic_int flag;

static void* setter(void* unused) {
  atomic_store(&flag, 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, NULL, setter, NULL);
  while (!atomic_load(&flag)) pthread_mutex_lock(&mutex);
  pthread_join(thread, NULL);
  int depth = 0;
  while (!pthread_mutex_unlock(&mutex)) depth++;
  assert(depth != 4); /* ERROR */
  return 0;
}
