// expect: verdict=verified naive executions(optimal)=2
// Room for both.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int used;
static int* slots;

static void* worker(void* unused) {
  const int index = atomic_fetch_add(&used, 1);
  slots[index] = 1;
  return NULL;
}

int main(void) {
  slots = malloc(2 * sizeof *slots);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(slots);
  return 0;
}
