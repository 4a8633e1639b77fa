// expect: verdict=verified cflags=-O0 executions(source)=1 redundant(source)=0 executions(optimal)=1 redundant(optimal)=0 executions(dpor)=1 redundant(dpor)=0 executions(sdpor)=1 redundant(sdpor)=0
// expect: case=bool verdict=verified cflags='-O0 -DFLAG=atomic_bool' algorithms=source,optimal executions(source)=1 redundant(source)=0 redundant(optimal)=0
// expect: case=two verdict=verified naive cflags='-O0 -DTHREADS=2' executions(source)=1 redundant(source)=0 executions(optimal)=1
// Without optimisation clang keeps what an atomic load reads in a temporary: the loops wait for one value all the same.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 6
#endif
#ifndef FLAG
#define FLAG atomic_int
#endif

static FLAG start;

static void* waits(void* argument) {
  while (!atomic_load(&start)) sched_yield();
  return argument;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, waits, NULL);
  atomic_store(&start, 1);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  return 0;
}
