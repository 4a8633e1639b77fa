// expect: verdict=bug kind=data-race
// expect: case=pdp algorithms=pdp verdict=bug kind=data-race
// A plain flag that one thread sets and the other polls.
#include <pthread.h>
#include <stddef.h>

static int stop;

static void* worker(void* unused) {
  while (!stop) { /* ERROR */
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  stop = 1; /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
