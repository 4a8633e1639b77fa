// expect: verdict=verified naive
// pthread_exit from main: the process lives until the last thread has ended, with status 0.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int finished;

static void* worker(void* unused) {
  atomic_fetch_add(&finished, 1);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_detach(a);
  pthread_exit(NULL);
}
