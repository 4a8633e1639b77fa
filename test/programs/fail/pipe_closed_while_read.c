// expect: case=read verdict=bug kind=deadlock
// expect: case=poll cflags=-DPOLL verdict=bug kind=deadlock
// A thread that already waits in a call keeps the pipe's end: closing the number neither wakes it nor fails it.
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void* reader(void* unused) {
#ifdef POLL
  struct pollfd polled = {ends[0], POLLIN, 0};
  poll(&polled, 1, -1);
#else
  char byte;
  while (read(ends[0], &byte, 1) == 1) {
  }
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pipe(ends)) return 1;
  pthread_create(&thread, NULL, reader, NULL);
  close(ends[0]);
  pthread_join(thread, NULL);
  return 0;
}
