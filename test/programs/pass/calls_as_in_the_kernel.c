// expect: verdict=verified
// One thread, many calls on descriptors and streams: the answers are those of the program when it runs by itself.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static void numbers(int first) {
  const int a = open("/dev/null", O_RDWR), b = dup(a), c = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  assert(a == first && b == first + 1 && c == first + 2);
  assert(!close(b) && close(b) == -1 && errno == EBADF);
  assert(dup(c) == b && fcntl(c, F_DUPFD, first + 10) == first + 10);
  assert(fcntl(c, F_GETFD) == FD_CLOEXEC && fcntl(b, F_GETFD) == 0);
  char byte = 'x';
  assert(dup2(c, a) == a && read(a, &byte, 1) == 1 && byte == 0);
  assert(write(c, &byte, 1) == -1 && errno == EBADF);
  assert(dup2(77, a) == -1 && errno == EBADF && dup2(a, a) == a && dup3(a, a, 0) == -1 && errno == EINVAL);
  assert(!isatty(a) && errno == ENOTTY && lseek(77, 0, SEEK_SET) == -1 && errno == EBADF);
  assert(fcntl(77, F_GETFL) == -1 && errno == EBADF);
  assert(!close_range((unsigned)first, ~0u, 0) && read(c, &byte, 1) == -1 && errno == EBADF);
}

static void files(const char* name) {
  struct stat status;
  char text[16] = {0};
  const int file = open(name, O_RDWR | O_CREAT | O_EXCL, 0640);
  assert(file >= 0 && open(name, O_RDWR | O_CREAT | O_EXCL, 0640) == -1 && errno == EEXIST);
  struct iovec parts[2] = {{"ab", 2}, {"cde", 3}};
  assert(writev(file, parts, 2) == 5 && lseek(file, 0, SEEK_CUR) == 5 && pread(file, text, 9, 1) == 4 && !strcmp(text, "bcde"));
  assert(!fcntl(file, F_SETFL, O_APPEND) && (fcntl(file, F_GETFL) & (O_APPEND | O_ACCMODE)) == (O_APPEND | O_RDWR));
  assert(lseek(file, 0, SEEK_SET) == 0 && write(file, "f", 1) == 1 && lseek(file, 0, SEEK_CUR) == 6);
  assert(!ftruncate(file, 3) && !fstat(file, &status) && status.st_size == 3 && status.st_nlink == 1);
  assert(!link(name, "inspect-calls-2") && !fstat(file, &status) && status.st_nlink == 2);
  assert(!unlink(name) && !unlink("inspect-calls-2") && !fstat(file, &status) && status.st_nlink == 0);
  assert(unlink(name) == -1 && errno == ENOENT && !fchmod(file, 0400) && !fstat(file, &status) && (status.st_mode & 0777) == 0400);
  assert(!close(file));
}

static void streams(const char* name) {
  FILE* stream = fopen(name, "w+");
  assert(fputs("one\ntwo", stream) >= 0 && ftell(stream) == 7);
  rewind(stream);
  char line[8];
  assert(fgets(line, sizeof line, stream) && !strcmp(line, "one\n") && ungetc('x', stream) == 'x' && fgetc(stream) == 'x');
  assert(fgets(line, sizeof line, stream) && feof(stream) && fgetc(stream) == EOF);
  clearerr(stream);
  assert(!feof(stream) && fputc('!', stream) == '!' && !fseek(stream, -1, SEEK_END) && fgetc(stream) == '!');
  const int number = fileno(stream);
  assert(freopen("/dev/full", "w", stream) == stream && fileno(stream) == number);
  assert(fputc('a', stream) == 'a' && fflush(stream) == EOF && errno == ENOSPC && ferror(stream));
  fclose(stream);
  assert(!unlink(name));
}

static void waits(void) {
  int ends[2];
  char byte;
  assert(!pipe2(ends, O_NONBLOCK) && read(ends[0], &byte, 1) == -1 && errno == EAGAIN);
  struct pollfd polled[3] = {{ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}, {99, POLLIN, 0}};
  assert(poll(polled, 3, 0) == 2 && !polled[0].revents && polled[1].revents == POLLOUT && polled[2].revents == POLLNVAL);
  assert(write(ends[1], "x", 1) == 1 && poll(polled, 1, -1) == 1 && polled[0].revents == POLLIN);
  fd_set in;
  FD_ZERO(&in);
  FD_SET(ends[0], &in);
  assert(select(ends[0] + 1, &in, NULL, NULL, NULL) == 1 && FD_ISSET(ends[0], &in));
  const int set = epoll_create1(0), counter = eventfd(2, EFD_SEMAPHORE);
  struct epoll_event event = {EPOLLIN, {.fd = counter}};
  eventfd_t value = 0;
  assert(!epoll_ctl(set, EPOLL_CTL_ADD, counter, &event) && epoll_ctl(set, EPOLL_CTL_ADD, counter, &event) == -1 && errno == EEXIST);
  assert(epoll_wait(set, &event, 1, -1) == 1 && event.data.fd == counter && !eventfd_read(counter, &value) && value == 1);
  assert(!close(ends[1]) && read(ends[0], &byte, 1) == 1 && read(ends[0], &byte, 1) == 0);
  assert(poll(polled, 1, 0) == 1 && polled[0].revents == POLLHUP);
  close(set), close(counter), close(ends[0]);
}

int main(void) {
  char place[64];
  assert(!chdir("/tmp") && getcwd(place, sizeof place) && !strcmp(place, "/tmp") && !getcwd(place, 2) && errno == ERANGE);
  const int first = open("/dev/null", O_RDONLY);
  close(first);
  numbers(first);
  files("inspect-calls-1");
  streams("inspect-calls-3");
  waits();
  return 0;
}
