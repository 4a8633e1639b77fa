// expect: verdict=verified naive
// expect: case=inner verdict=verified cflags=-DEND=exit
// expect: case=fini verdict=verified cflags=-DFINI
// expect: case=three verdict=verified cflags='-DEND=exit -DSTATUS=259' options=--expect-exit=3
// A handler ends the process well although main returned a failure; a parent sees the low eight bits of a status.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef END
#define END _exit
#endif

#ifndef STATUS
#define STATUS 256
#endif

#ifdef FINI
#define EXPECTED 1  // functions of .fini_array come after all handlers
#else
#define EXPECTED 2
#endif

static atomic_int done, handlers;

static void last(void) { assert(handlers == EXPECTED); }
static void forgive(void) {
  assert(done == 1);
  ++handlers;
  END(STATUS);
}
static void first(int status, void* argument) {
  assert(status == 7 && argument == &done);
  ++handlers;
}
#ifdef FINI
__attribute__((destructor)) static void at_end(void) { forgive(); }
#endif

static void* worker(void* unused) {
  ++done;
  return unused;
}

int main(void) {
  atexit(last);  // the last to run, if `forgive` lets it
#ifndef FINI
  atexit(forgive);
#endif
  on_exit(first, &done);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return 7;
}
