// expect: verdict=bug kind=assertion naive
// An attempt to join finds the thread running, or at its end: here the latter is the bug.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void* worker(void* unused) { return unused; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  const int result = pthread_tryjoin_np(thread, NULL);
  if (result) pthread_join(thread, NULL);
  assert(result); /* ERROR */
}
