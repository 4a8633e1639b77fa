// What getline and its kin write, and where.
// expect: case=race verdict=bug kind=data-race cflags=-DREADER
// expect: case=in_place verdict=bug kind=data-race cflags="-O2 -DREADER"
// expect: case=delimiter verdict=bug kind=data-race cflags="-DREADER -DREAD=getdelim(&line,&size,98,stream)"
// expect: case=freed verdict=bug kind=memory-error cflags="-DBEFORE=free(line)"
// expect: case=larger verdict=bug kind=memory-error cflags="-DBYTES=3 -DSIZE=120"
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef READ
#define READ getline(&line, &size, stream)
#endif
#ifndef BEFORE
#define BEFORE (void)0
#endif
#ifndef BYTES
#define BYTES 120
#define SIZE 120
#endif

static char text[] = "abc\ndef\n";
static char *line;

static void *reader(void *unused) {
#ifdef READER
  if (line[0] == 'y') abort();
#endif
  return unused;
}

int main(void) {
  FILE *stream = fmemopen(text, sizeof text - 1, "r");
  size_t size = SIZE;
  line = malloc(BYTES);
  line[0] = 'x';
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  BEFORE;
  READ;
  pthread_join(thread, NULL);
  fclose(stream);
}
