// Two threads with two stores each: the smallest program that is one, ten events long.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void* worker(void* unused) {
  atomic_store(&x, 1);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
