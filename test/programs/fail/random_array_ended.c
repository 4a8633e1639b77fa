// expect: verdict=bug kind=memory-error
// expect: case=freed verdict=bug kind=memory-error cflags=-DFREED
// The generator keeps the array that it was given: it must last.
#include <pthread.h>
#include <stdlib.h>

static void* number(void* unused) {
  random();
  return unused;
}

static void begin(void) {
#ifdef FREED
  char* const array = malloc(64);
  initstate(1, array, 64);
  free(array);
#else
  char array[64];
  initstate(1, array, sizeof array);
#endif
}

int main(void) {
  begin();
  pthread_t a, b;
  pthread_create(&a, NULL, number, NULL);
  pthread_create(&b, NULL, number, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
