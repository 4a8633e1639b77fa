// expect: verdict=bug kind=memory-error naive
// expect: case=all verdict=bug kind=memory-error options=--visible=all
// free writes every byte of its object: where the access comes first, the order must still be turned round.
#include <pthread.h>
#include <stdlib.h>

static int* shared;

static void* reader(void* unused) { return *shared == 1 ? NULL : unused; } /* ERROR */

static void* freer(void* unused) {
  free(shared); /* ERROR */
  return NULL;
}

int main(void) {
  shared = malloc(sizeof *shared);
  *shared = 1;
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, freer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
