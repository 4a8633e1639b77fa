// expect: verdict=bug kind=memory-error
// The index is taken from a counter that both threads advance: one of them writes past the end.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int used;
static int* slots;

static void* worker(void* unused) {
  const int index = atomic_fetch_add(&used, 1);
  slots[index] = 1; /* ERROR */
  return NULL;
}

int main(void) {
  slots = malloc(sizeof *slots);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(slots);
  return 0;
}
