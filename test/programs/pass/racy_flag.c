// expect: verdict=verified naive
// expect: case=pdp algorithms=pdp verdict=verified property=data-race
// An atomic flag. The loop needs no bound: without a change it is simply blocked.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int stop;

static void* worker(void* unused) {
  while (!stop) {
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  stop = 1;
  pthread_join(thread, NULL);
  return 0;
}
