// expect: verdict=verified
// One thread serves several pipes with epoll and select; writers are threads.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

static int pipes[2][2];

static void* writer(void* argument) {
  const long which = (long)argument;
  assert(write(pipes[which][1], &which, sizeof which) == sizeof which);
  close(pipes[which][1]);
  return NULL;
}

int main(void) {
  const int set = epoll_create1(EPOLL_CLOEXEC);
  for (int i = 0; i < 2; ++i) {
    assert(pipe2(pipes[i], O_NONBLOCK) == 0);
    struct epoll_event wanted = {.events = EPOLLIN, .data.fd = pipes[i][0]};
    assert(epoll_ctl(set, EPOLL_CTL_ADD, pipes[i][0], &wanted) == 0);
  }
  long value;
  assert(read(pipes[0][0], &value, sizeof value) == -1);
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, writer, (void*)i);
  int got = 0;
  while (got < 2) {
    struct epoll_event events[4];
    const int count = epoll_wait(set, events, 4, -1);
    assert(count > 0);
    for (int i = 0; i < count; ++i) {
      const ssize_t n = read(events[i].data.fd, &value, sizeof value);
      if (n == sizeof value) ++got;
      if (n == 0) assert(epoll_ctl(set, EPOLL_CTL_DEL, events[i].data.fd, NULL) == 0);
    }
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  fd_set in;
  FD_ZERO(&in);
  FD_SET(pipes[0][0], &in);
  struct timeval limit = {0, 1000};
  assert(select(pipes[0][0] + 1, &in, NULL, NULL, &limit) == 1);
  return 0;
}
