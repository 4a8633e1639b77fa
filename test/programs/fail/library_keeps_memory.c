// Streams whose buffer or content is memory of the program: which call touches it, and when, is not followed. It counts from
// before the first thread too.
// expect: case=buffer args=buffer verdict=inconclusive assumption="the buffer of a stream at library_keeps_memory.c:" algorithms=source
// expect: case=short args=short verdict=inconclusive assumption="the buffer of a stream at library_keeps_memory.c:" algorithms=source
// expect: case=array args=array verdict=inconclusive assumption="a stream in memory at library_keeps_memory.c:" algorithms=source
// expect: case=growing args=growing verdict=bug kind=data-race algorithms=source
// expect: case=late args=late verdict=inconclusive assumption="a stream in memory at library_keeps_memory.c:" algorithms=source
// expect: case=early args=early cflags="-O2 -w -DEARLY" verdict=inconclusive assumption="a stream in memory at" algorithms=source
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char memory[BUFSIZ];
static char* text;
static size_t size;
static FILE* stream;

#ifdef EARLY
__attribute__((constructor)) static void before_main(void) { stream = fmemopen(memory, 8, "w"); }
#endif

static void* print(void* unused) {
  fputs("x", stream);
  fflush(stream);
  return unused;
}

int main(int count, char** given) {
  const char* const what = count > 1 ? given[1] : "";
  if (!stream) stream = stdout;
  if (!strcmp(what, "buffer")) setvbuf(stdout, memory, _IOFBF, sizeof memory);
  if (!strcmp(what, "short")) setbuf(stdout, memory);
  if (!strcmp(what, "array")) stream = fmemopen(memory, 8, "w");
  if (!strcmp(what, "growing")) stream = open_memstream(&text, &size);
  pthread_t thread;
  pthread_create(&thread, 0, print, 0);
  const char seen = memory[0];
  const size_t length = size;
  if (!strcmp(what, "late")) fclose(fmemopen(memory, 8, "w"));
  pthread_join(thread, 0);
  return seen == 'y' || length == 99;
}
