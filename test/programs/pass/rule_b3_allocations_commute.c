// expect: verdict=verified naive executions(optimal)=1
// Allocations and frees of different objects are independent.
#include <pthread.h>
#include <stdlib.h>

static void* worker(void* unused) {
  for (int i = 0; i < 3; i++) {
    int* mine = malloc(16);
    *mine = i;
    free(mine);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
