// expect: verdict=bug kind=deadlock
// flockfile is a lock like any other: two streams locked in opposite order.
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static FILE *first, *second;

static void* backwards(void* unused) {
  flockfile(second);
  fputc('x', first);
  funlockfile(second);
  return unused;
}

int main(void) {
  first = tmpfile();
  second = tmpfile();
  pthread_t thread;
  pthread_create(&thread, NULL, backwards, NULL);
  flockfile(first);
  fputc('x', second);
  funlockfile(first);
  pthread_join(thread, NULL);
  return 0;
}
