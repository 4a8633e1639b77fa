// expect: verdict=bug kind=data-race cflags=-DCHANGE=writes
// expect: case=freed verdict=bug kind=memory-error cflags=-DCHANGE=frees
// expect: case=order verdict=bug kind=assertion cflags=-DCHANGE=takes
// expect: case=written verdict=inconclusive cflags="-DCHANGE=nothing -DWRITES" assumption="a stream in memory"
// A stream reads a text of the program's that another thread changes, frees, or reads through the same stream.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WRITES
#define MODE "r+"
#else
#define MODE "r"
#endif

static char* text;
static FILE* stream;

static void writes(void) { text[1] = 'x'; }
static void frees(void) { free(text); }
static void takes(void) { fgetc(stream); }
static void nothing(void) {}

static void* worker(void* unused) {
  CHANGE();
  return unused;
}

int main(void) {
  void (*const all[])(void) = {writes, frees, takes, nothing};
  (void)all;
  text = strdup("abc");
  stream = fmemopen(text, 3, MODE);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  assert(fgetc(stream) == 'a');
  pthread_join(thread, NULL);
}
