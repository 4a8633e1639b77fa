// expect: verdict=verified naive
// The reader that waits keeps its end of the pipe, so that the byte still arrives although the number is closed; the end of input
// comes when the writer closes its own end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2], copy;

static void* reader(void* unused) {
  char byte;
  const ssize_t got = read(ends[0], &byte, 1);
  assert(got == 1 || got == -1);  // it was waiting already, or came too late
  return unused;
}

int main(void) {
  char byte;
  pthread_t thread;
  if (pipe(ends)) return 1;
  copy = dup(ends[0]);
  pthread_create(&thread, NULL, reader, NULL);
  close(ends[0]);
  assert(write(ends[1], "x", 1) == 1);
  close(ends[1]);
  pthread_join(thread, NULL);
  const ssize_t left = read(copy, &byte, 1);
  assert(left == 0 || left == 1);
  assert(read(copy, &byte, 1) == 0);
  return 0;
}
