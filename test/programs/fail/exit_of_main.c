// expect: verdict=bug kind=memory-error naive
// main's local variables end with main, even though the process goes on.
#include <pthread.h>
#include <stddef.h>

static void* worker(void* argument) {
  int* limit = argument;
  *limit = *limit + 1; /* ERROR */
  return NULL;
}

static void start(pthread_t* thread) {
  int limit = 5;
  pthread_create(thread, NULL, worker, &limit);
} /* ERROR */

int main(void) {
  pthread_t thread;
  start(&thread); /* ERROR */
  pthread_exit(NULL);
}
