// expect: verdict=verified naive
// exit() does not wait for the other threads, and need not.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int progress;

static void* background(void* unused) {
  progress = 1;
  progress = 2;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, background, NULL);
  pthread_detach(thread);
  exit(0);
}
