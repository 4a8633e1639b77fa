// expect: verdict=bug kind=assertion naive
// Neighbours in one word of memory do not pass time on: they are different objects.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static _Alignas(8) atomic_int x[2];
static int late;

static void* sleeper(void* unused) {
  sleep(1);
  atomic_store(&x[0], 1);
  return unused;
}

static void* other(void* unused) {
  struct timespec now;
  atomic_store(&x[1], 1);
  clock_gettime(CLOCK_MONOTONIC, &now);
  late = now.tv_sec >= 1;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, sleeper, NULL);
  pthread_create(&threads[1], NULL, other, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(late); /* ERROR */
}
