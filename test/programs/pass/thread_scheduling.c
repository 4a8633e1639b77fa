// expect: verdict=verified naive
// What was set is what is told, and new threads inherit it.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static void* heir(void* unused) {
  cpu_set_t processors;
  assert(sched_getaffinity(0, sizeof processors, &processors) == 0 && CPU_COUNT(&processors) == 1);
  int policy;
  struct sched_param parameters;
  pthread_getschedparam(pthread_self(), &policy, &parameters);
  assert(policy == SCHED_BATCH);
  return unused;
}

int main(void) {
  cpu_set_t processors;
  assert(sched_getaffinity(0, sizeof processors, &processors) == 0 && CPU_COUNT(&processors) == 4);
  CPU_ZERO(&processors);
  assert(sched_setaffinity(0, sizeof processors, &processors) == -1);
  CPU_SET(1, &processors);
  assert(sched_setaffinity(0, sizeof processors, &processors) == 0);
  struct sched_param parameters = {0};
  assert(pthread_setschedparam(pthread_self(), SCHED_BATCH, &parameters) == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, heir, NULL);
  pthread_join(thread, NULL);
}
