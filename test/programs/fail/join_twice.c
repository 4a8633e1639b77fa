// expect: verdict=bug kind=api-misuse naive
// The handle is dead after the first join.
#include <pthread.h>
#include <stddef.h>

static void* worker(void* unused) { return NULL; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  pthread_join(thread, NULL); /* ERROR */
  return 0;
}
