// expect: case=set verdict=bug kind=assertion cflags=-DFLAGS=O_NONBLOCK
// expect: case=cleared verdict=bug kind=deadlock cflags="-DFLAGS=0 -DSILENT" algorithms=optimal
// O_NONBLOCK belongs to the open file: a thread changes it through a duplicate, before another reads.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], duplicate;

static void* read_one(void* unused) {
  char byte;
  const ssize_t size = read(ends[0], &byte, 1);
#ifndef SILENT
  assert(size == 1);
#endif
  (void)size;
  return unused;
}

int main(void) {
  pipe2(ends, FLAGS ? 0 : O_NONBLOCK);
  duplicate = dup(ends[0]);
  pthread_t thread;
  pthread_create(&thread, NULL, read_one, NULL);
  fcntl(duplicate, F_SETFL, FLAGS);
#ifndef SILENT
  write(ends[1], "x", 1);
#endif
  pthread_join(thread, NULL);
  return 0;
}
