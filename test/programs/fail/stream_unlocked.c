// Functions that leave the stream's lock to their caller race with all others on the stream, where nobody takes it.
// expect: case=each_other verdict=bug kind=data-race cflags="-O0 -DFIRST=putc_unlocked(97,stream) -DSECOND=putc_unlocked(98,stream)"
// expect: case=in_place verdict=bug kind=data-race cflags="-O2 -DFIRST=putc_unlocked(97,stream) -DSECOND=fputc(98,stream)"
// expect: case=locked verdict=bug kind=data-race cflags="-O0 -DFIRST=fputs_unlocked(text,stream) -DSECOND=fputc(98,stream)"
// expect: case=flushed verdict=bug kind=data-race cflags="-DFIRST=fflush_unlocked(stream) -DSECOND=fputc(98,stream)"
// expect: case=by_caller verdict=bug kind=data-race cflags="-DBY_CALLER -DFIRST=fputc(97,stream) -DSECOND=fputc(98,stream)"
// expect: case=output verdict=bug kind=data-race cflags="-DFIRST=putc_unlocked(97,stdout) -DSECOND=putchar(98)"
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>

static const char text[] = "x";
static FILE* stream;

static void* first(void* unused) {
  FIRST;
  return unused;
}

static void* second(void* unused) {
  SECOND;
  return unused;
}

int main(void) {
  char* memory = NULL;
  size_t size = 0;
  stream = open_memstream(&memory, &size);
#ifdef BY_CALLER
  __fsetlocking(stream, FSETLOCKING_BYCALLER);
#endif
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  fclose(stream);
  free(memory);
  (void)text;
  return 0;
}
