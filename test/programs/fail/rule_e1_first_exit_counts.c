// expect: verdict=bug kind=exit-status naive
// The first exit fixes the status, and either thread can be the first.
#include <pthread.h>
#include <stdlib.h>

static void* other(void* unused) { exit(3); }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  return 0;
}
