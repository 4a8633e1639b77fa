// expect: verdict=bug kind=livelock naive
// The value that is waited for is there for a moment only: who looks later waits for ever.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int stage;

static void* waits(void* unused) {
  while (stage != 1) { /* ERROR */
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waits, NULL);
  stage = 1;
  stage = 2;
  pthread_join(thread, NULL);
  return 0;
}
