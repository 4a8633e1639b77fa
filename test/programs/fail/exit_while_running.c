// expect: verdict=bug kind=assertion naive
// main returns at once, but the detached thread may still come to its failing assertion first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int progress;

static void* background(void* unused) {
  progress = 1;
  assert(progress == 2); /* ERROR */
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, background, NULL);
  pthread_detach(thread);
  return 0;
}
