// expect: verdict=bug kind=data-race naive
// expect: case=pdp algorithms=pdp verdict=bug kind=data-race
// expect: case=all verdict=bug kind=data-race options=--visible=all
// The counter that everyone writes first.
#include <pthread.h>
#include <stddef.h>

static int counter;

static void* increment(void* unused) {
  counter++; /* ERROR */
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, increment, NULL);
  pthread_create(&b, NULL, increment, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
