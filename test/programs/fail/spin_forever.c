// expect: verdict=bug kind=livelock
// The flag that the loop waits for is never set.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;

static void* worker(void* unused) {
  while (!ready) { /* ERROR */
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL); /* ERROR */
  return 0;
}
