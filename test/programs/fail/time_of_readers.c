// expect: verdict=bug kind=assertion naive
// Two threads that read the same variable do not pass time on: a search takes one order of the reads alone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static atomic_int x;

static void* sleeper(void* unused) {
  sleep(1);
  (void)atomic_load(&x);
  return unused;
}

int main(void) {
  struct timespec now;
  pthread_t thread;
  pthread_create(&thread, NULL, sleeper, NULL);
  (void)atomic_load(&x);
  clock_gettime(CLOCK_MONOTONIC, &now);
  pthread_join(thread, NULL);
  assert(now.tv_sec == 1); /* ERROR */
}
