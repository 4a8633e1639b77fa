// expect: verdict=verified
// expect: case=timeout verdict=verified cflags=-DWAIT=10
// expect: case=read verdict=verified cflags=-DREAD
// Waiting for a byte in a pipe, attempt after attempt: one that finds nothing changes nothing.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <unistd.h>
#ifndef WAIT
#define WAIT 0
#endif

static int ends[2];

static void* waiter(void* unused) {
  char byte;
#ifdef READ
  while (read(ends[0], &byte, 1) < 0 && errno == EAGAIN) sched_yield();
#else
  struct pollfd entry = {.fd = ends[0], .events = POLLIN};
  while (poll(&entry, 1, WAIT) == 0) {
  }
  read(ends[0], &byte, 1);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pipe2(ends, O_NONBLOCK)) return 1;
  pthread_create(&thread, NULL, waiter, NULL);
  const long written = write(ends[1], "x", 1);
  pthread_join(thread, NULL);
  return written < 0;
}
