// The end of a stream in memory tells where the text is; who looks there meanwhile has a race. So has who reads the text itself,
// or its end while something is written behind it.
//
// expect: verdict=bug kind=data-race
// expect: case=size cflags=-DSEEN=size verdict=bug kind=data-race algorithms=dpor
// expect: case=text cflags=-DSEEN=text[0] verdict=bug kind=data-race|memory-error algorithms=dpor
// expect: case=written cflags="-DSEEN=text[4] -DWRITES" verdict=bug kind=data-race algorithms=optimal
// expect: case=written_wide cflags="-DSEEN=text[4] -DWRITES -DWIDE" verdict=bug kind=data-race algorithms=optimal
// expect: case=not_written cflags="-DSEEN=text[3] -DWRITES" verdict=verified algorithms=optimal
// expect: case=gone cflags=-DGONE verdict=bug kind=memory-error algorithms=dpor
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#ifndef SEEN
#define SEEN text
#endif

#if defined(WIDE)
typedef wchar_t character;
#define OPEN open_wmemstream
#define PUT(s) fputws(L##s, stream)
#else
typedef char character;
#define OPEN open_memstream
#define PUT(s) fputs(s, stream)
#endif

static character* text;
static size_t size;
static FILE* stream;

static void* worker(void* unused) {
#if defined(WRITES)
  PUT("more"); /* ERROR */
#else
  fclose(stream); /* ERROR */
#endif
  return unused;
}

static void open_stream(void) {
#ifdef GONE
  character* text; /* of this function alone */
#endif
  stream = OPEN(&text, &size);
  PUT("text");
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
