// The end of a stream in memory tells where the text is; who looks there meanwhile has a race. So has who reads the text itself.
//
// expect: verdict=bug kind=data-race
// expect: case=size cflags=-DSEEN=size verdict=bug kind=data-race algorithms=dpor
// expect: case=text cflags=-DSEEN=text[0] verdict=bug kind=data-race|memory-error algorithms=dpor
// expect: case=gone cflags=-DGONE verdict=bug kind=memory-error algorithms=dpor
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef SEEN
#define SEEN text
#endif

static char* text;
static size_t size;
static FILE* stream;

static void* worker(void* unused) {
  fclose(stream); /* ERROR */
  return unused;
}

static void open_stream(void) {
#ifdef GONE
  char* text; /* of this function alone */
#endif
  stream = open_memstream(&text, &size);
  fputs("text", stream);
  fflush(stream);
}

int main(void) {
  pthread_t thread;
  open_stream();
  pthread_create(&thread, NULL, worker, NULL);
#ifndef GONE
  const int seen = SEEN != 0; /* ERROR */
#else
  const int seen = 1;
#endif
  pthread_join(thread, NULL);
  return !seen;
}
