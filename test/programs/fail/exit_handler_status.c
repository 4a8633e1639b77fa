// expect: verdict=bug kind=exit-status naive
// expect: case=inner verdict=bug kind=exit-status cflags=-DEND=exit
// expect: case=quick verdict=bug kind=exit-status cflags='-DEND=_Exit -DQUICK'
// expect: case=on_exit verdict=bug kind=exit-status cflags=-DON_EXIT
// expect: case=fini verdict=bug kind=exit-status cflags=-DFINI
// A handler ends the process with a status of its own, if a thread has left something behind.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef END
#define END _exit
#endif

static atomic_int left;

static void check(void) {
  if (left) END(3);
}
static void check_status(int status, void* argument) {
  if (status == 0 && argument == &left) check();
}
#ifdef FINI
__attribute__((destructor)) static void at_end(void) { check(); }
#endif

static void* worker(void* unused) {
  left = 1;
#ifdef QUICK
  quick_exit(0);
#endif
  return unused;
}

int main(void) {
#if defined QUICK
  at_quick_exit(check);
#elif defined ON_EXIT
  on_exit(check_status, &left);
#elif !defined FINI
  atexit(check);
#endif
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return 0;
}
