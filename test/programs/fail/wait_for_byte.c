// expect: verdict=bug kind=livelock
// expect: case=timeout verdict=bug kind=livelock cflags=-DWAIT=10
// expect: case=read verdict=bug kind=livelock cflags=-DREAD
// Waiting for a byte that nobody writes.
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
  while (read(ends[0], &byte, 1) < 0 && errno == EAGAIN) sched_yield(); /* ERROR */
#else
  struct pollfd entry = {.fd = ends[0], .events = POLLIN};
  while (poll(&entry, 1, WAIT) == 0) { /* ERROR */
  }
  read(ends[0], &byte, 1);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pipe2(ends, O_NONBLOCK)) return 1;
  pthread_create(&thread, NULL, waiter, NULL);
  const long written = 0;
  pthread_join(thread, NULL);
  return written < 0;
}
