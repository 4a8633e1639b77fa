// expect: verdict=verified assumption="not reused"
// A freed address is not handed out again within an execution, and the report says so.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void* worker(void* unused) {
  int* first = malloc(32);
  const uintptr_t before = (uintptr_t)first;
  free(first);
  int* second = malloc(32);
  assert((uintptr_t)second != before);
  free(second);
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
