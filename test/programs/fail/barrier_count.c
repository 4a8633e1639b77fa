// expect: verdict=bug kind=deadlock naive
// The barrier waits for three; only two come.
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;

static void* worker(void* unused) {
  pthread_barrier_wait(&barrier); /* ERROR */
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 3);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL); /* ERROR */
  pthread_join(b, NULL);
  return 0;
}
