// expect: case=malloc verdict=bug kind=data-race cflags=-DUSE=0
// expect: case=calloc verdict=bug kind=data-race cflags=-DUSE=1
// expect: case=realloc verdict=bug kind=data-race cflags=-DUSE=2
// expect: case=strdup verdict=bug kind=data-race cflags=-DUSE=3
// expect: case=asprintf verdict=bug kind=data-race cflags=-DUSE=4
// expect: case=aligned verdict=bug kind=data-race cflags=-DUSE=5
// expect: case=large verdict=bug kind=data-race cflags=-DUSE=6
// expect: case=visible_all verdict=bug kind=data-race cflags=-DUSE=1 options=--visible=all algorithms=dpor
// expect: case=free verdict=bug kind=memory-error|data-race cflags=-DUSE=7
// expect: case=atomic verdict=bug kind=data-race cflags=-DUSE=8
// A block that is published without order: whoever reaches it races with its allocation, though the program never wrote to it.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(char*) published;

static char* allocate(int which) {
  char* text = NULL;
  switch (which) {
    case 1:
      return calloc(1, 40);
    case 2:
      return realloc(NULL, 40);
    case 3:
      return strdup("text");
    case 4:
      return asprintf(&text, "%d", 7) < 0 ? NULL : text;
    case 5:
      return posix_memalign((void**)&text, 64, 64) ? NULL : text;
    case 6:
      return calloc(1, 100000);
    default:
      return malloc(40);
  }
}

static void* worker(void* unused) {
  char* const p = atomic_load_explicit(&published, memory_order_relaxed);
  if (!p) return NULL;
#if USE == 7
  free(p);
#elif USE == 8
  atomic_load_explicit((_Atomic int*)p, memory_order_relaxed);
#else
  volatile char c = *p;
#endif
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  char* const p = allocate(USE);
  atomic_store_explicit(&published, p, memory_order_relaxed);
  pthread_join(thread, NULL);
  return 0;
}
