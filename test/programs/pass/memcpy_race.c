// expect: verdict=verified naive executions(optimal)=1
// The writer keeps out of the range that is copied.
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char text[64];
char mine[63];

static void* copy(void* unused) {
  memcpy(mine, text, sizeof mine);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, copy, NULL);
  text[63] = 'x';
  pthread_join(thread, NULL);
  return 0;
}
