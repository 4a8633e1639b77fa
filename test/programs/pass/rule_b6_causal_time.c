// expect: verdict=verified naive executions(optimal)=1 assumption=clock
// Time is a function of a thread's past: the sleep of one thread does not move the clock of another that never met it.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static time_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

static time_t start;

static void* sleeper(void* unused) {
  sleep(100);
  assert(now() >= start + 100);
  return NULL;
}

static void* reader(void* unused) {
  assert(now() < start + 100);
  return NULL;
}

int main(void) {
  start = now();
  pthread_t a, b;
  pthread_create(&a, NULL, sleeper, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(now() >= start + 100);
  return 0;
}
