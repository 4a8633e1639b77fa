// expect: verdict=bug kind=api-misuse naive
// A detached thread cannot be joined.
#include <pthread.h>
#include <stddef.h>

static void* worker(void* unused) { return NULL; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_detach(thread);
  pthread_join(thread, NULL); /* ERROR */
  return 0;
}
