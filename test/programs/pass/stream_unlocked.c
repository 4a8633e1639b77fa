// Functions that leave the stream's lock to their caller, which takes it, or to a mutex.
// expect: case=locked verdict=verified cflags="-O0"
// expect: case=locked_in_place verdict=verified cflags="-O2"
// expect: case=by_caller verdict=verified cflags=-DBY_CALLER
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>

static FILE* stream;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* writer(void* unused) {
#ifdef BY_CALLER
  pthread_mutex_lock(&mutex);
  fputc('a', stream);
  pthread_mutex_unlock(&mutex);
#else
  flockfile(stream);
  putc_unlocked('a', stream);
  putc_unlocked('b', stream);
  funlockfile(stream);
#endif
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
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, writer, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  fclose(stream);
  assert(size == 2 || (memory[0] == 'a' && memory[1] == 'b' && memory[2] == 'a' && memory[3] == 'b'));
  free(memory);
  (void)mutex;
  return 0;
}
