// expect: verdict=verified executions(source)=1 redundant(source)=0 executions(optimal)=1 redundant(optimal)=0 executions(dpor)=1 redundant(dpor)=0 executions(sdpor)=1 redundant(sdpor)=0
// expect: case=two verdict=verified naive cflags=-DTHREADS=2 executions(source)=1 redundant(source)=0 executions(optimal)=1 redundant(optimal)=0 executions(dpor)=1 redundant(dpor)=0 executions(sdpor)=1 redundant(sdpor)=0 redundant(naive)=0
// expect: case=yield verdict=verified cflags=-DYIELD executions(source)=1 redundant(source)=0 executions(optimal)=1 redundant(optimal)=0 executions(dpor)=1 redundant(dpor)=0 executions(sdpor)=1 redundant(sdpor)=0
// expect: case=pause verdict=verified cflags=-DPAUSE executions(source)=1 redundant(source)=0 executions(optimal)=1 redundant(optimal)=0 executions(dpor)=1 redundant(dpor)=0 executions(sdpor)=1 redundant(sdpor)=0
// expect: case=heap verdict=verified cflags=-DHEAP executions(source)=1 redundant(source)=0 executions(optimal)=1 redundant(optimal)=0 executions(dpor)=1 redundant(dpor)=0 executions(sdpor)=1 redundant(sdpor)=0
// expect: case=stack verdict=verified cflags=-DSTACK executions(source)=1 redundant(source)=0 executions(optimal)=1 redundant(optimal)=0 executions(dpor)=1 redundant(dpor)=0 executions(sdpor)=1 redundant(sdpor)=0
// expect: case=O2 verdict=verified cflags=-O2 algorithms=source,optimal executions(source)=1 redundant(source)=0 redundant(optimal)=0
// Many threads wait for one flag: who has looked at it too early makes no difference, so there is one execution.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 8
#endif

static atomic_int global;

static void* waits(void* argument) {
  atomic_int* const start = argument;
  while (!*start) {
#ifdef YIELD
    sched_yield();
#elif defined PAUSE
    __asm__ volatile("pause");
#endif
  }
  return NULL;
}

int main(void) {
#ifdef HEAP
  atomic_int* const start = calloc(1, sizeof *start);
#elif defined STACK
  atomic_int local = 0, *const start = &local;
#else
  atomic_int* const start = &global;
#endif
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, waits, start);
  *start = 1;
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
#ifdef HEAP
  free(start);
#endif
  return 0;
}
