// expect: verdict=bug kind=memory-error
// The object of the loop is freed while somebody may still wait: the next turn reads it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static void* waits(void* argument) {
  atomic_int* const ready = argument;
  while (!*ready) { /* ERROR */
  }
  return NULL;
}

int main(void) {
  atomic_int* const ready = calloc(1, sizeof *ready);
  pthread_t thread;
  pthread_create(&thread, NULL, waits, ready);
  free(ready);
  pthread_join(thread, NULL);
  return 0;
}
