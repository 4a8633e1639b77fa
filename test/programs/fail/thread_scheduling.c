// expect: verdict=bug kind=assertion naive
// expect: case=processors verdict=bug kind=assertion cflags=-DPROCESSORS naive
// How a thread is scheduled, and where it may run, others may change while it asks.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_t first;

static void* changer(void* unused) {
#ifdef PROCESSORS
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  pthread_setaffinity_np(first, sizeof one, &one);
#else
  struct sched_param parameters = {0};
  pthread_setschedparam(first, SCHED_BATCH, &parameters);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  first = pthread_self();
  pthread_create(&thread, NULL, changer, NULL);
#ifdef PROCESSORS
  cpu_set_t all;
  pthread_getaffinity_np(first, sizeof all, &all);
  assert(CPU_COUNT(&all) > 1); /* ERROR */
#else
  int policy;
  struct sched_param parameters;
  pthread_getschedparam(first, &policy, &parameters);
  assert(policy == SCHED_OTHER); /* ERROR */
#endif
  pthread_join(thread, NULL);
}
