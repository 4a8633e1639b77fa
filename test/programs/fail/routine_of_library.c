// expect: verdict=bug kind=data-race algorithms=optimal
// expect: case=comparison verdict=bug kind=data-race cflags=-DCOMPARISON algorithms=optimal
// A library function is called through a pointer: by the thread that it is the routine of, or by another function of the library.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char words[2][8] = {"two", "one"};

static void* sort(void* none) {
  qsort(words, 2, 8, (int (*)(const void*, const void*))strcmp);
  return none;
}

int main(void) {
  pthread_t thread;
#ifdef COMPARISON
  pthread_create(&thread, NULL, sort, NULL);
#else
  pthread_create(&thread, NULL, (void* (*)(void*))puts, words[0]);
#endif
  words[0][0] = 'w';
  pthread_join(thread, NULL);
  return 0;
}
