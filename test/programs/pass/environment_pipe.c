// expect: verdict=verified
// Threads talk over a pipe, a socket pair and an event counter: reading waits for the other thread, the end of input is seen.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static int pipes[2], sockets[2], event;

static void* writer(void* unused) {
  assert(write(pipes[1], "hello", 5) == 5);
  close(pipes[1]);
  char answer = 0;
  assert(recv(sockets[1], &answer, 1, 0) == 1 && answer == '!');
  const uint64_t two = 2;
  assert(write(event, &two, sizeof two) == sizeof two);
  return unused;
}

int main(void) {
  assert(pipe(pipes) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
  event = eventfd(1, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  char text[16];
  size_t length = 0;
  for (ssize_t n; (n = read(pipes[0], text + length, sizeof text - length)) > 0;) length += (size_t)n;
  assert(length == 5 && memcmp(text, "hello", 5) == 0);
  struct pollfd wait = {sockets[0], POLLIN, 0};
  assert(poll(&wait, 1, 0) == 0);
  assert(send(sockets[0], "!", 1, 0) == 1);
  pthread_join(thread, NULL);
  uint64_t count = 0;
  assert(read(event, &count, sizeof count) == sizeof count && count == 3);
  wait.fd = event;
  assert(poll(&wait, 1, 1000) == 0);
  return 0;
}
