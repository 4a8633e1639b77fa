// expect: verdict=bug kind=data-race naive
// expect: case=pdp algorithms=pdp verdict=bug kind=data-race
// A copy reads a range; the writer hits its last byte.
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char text[64];
char mine[64];

static void* copy(void* unused) {
  memcpy(mine, text, sizeof mine); /* ERROR */
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, copy, NULL);
  text[63] = 'x'; /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
