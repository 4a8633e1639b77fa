// Functions that leave the stream's lock to their caller, which takes it, or to a mutex.
// expect: case=locked verdict=verified cflags="-O0"
// expect: case=locked_in_place verdict=verified cflags="-O2"
// expect: case=by_caller verdict=verified cflags=-DBY_CALLER
// expect: case=against_a_call verdict=verified cflags="-O0 -DCALL"
// expect: case=against_a_call_in_place verdict=verified cflags="-O2 -DCALL"
// expect: case=of_a_file verdict=verified cflags="-DCALL -DOPEN=tmpfile()"
// expect: case=of_the_output verdict=verified cflags="-DCALL -DOPEN=stdout"
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
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

static void* caller(void* unused) {
  fputs("ab", stream);
  const int refused = ftrylockfile(stream);
  assert(refused == 0 || refused == EBUSY);
  if (!refused) funlockfile(stream);
  return unused;
}

int main(void) {
  char* memory = NULL;
  size_t size = 0;
#ifdef OPEN
  stream = OPEN;
#else
  stream = open_memstream(&memory, &size);
#endif
#ifdef BY_CALLER
  __fsetlocking(stream, FSETLOCKING_BYCALLER);
#endif
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, writer, NULL);
#ifdef CALL
  pthread_create(&threads[1], NULL, caller, NULL);
#else
  pthread_create(&threads[1], NULL, writer, NULL);
  (void)caller;
#endif
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  fclose(stream);
  assert(!memory || size == 2 || (memory[0] == 'a' && memory[1] == 'b' && memory[2] == 'a' && memory[3] == 'b'));
  free(memory);
  (void)mutex;
  return 0;
}
