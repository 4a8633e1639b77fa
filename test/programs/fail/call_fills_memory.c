// expect: case=readv cflags="'-DCALL=readv(file, &part, 1)' -DFIELD=bytes[0]" verdict=bug kind=data-race
// expect: case=list cflags="'-DCALL=readv(file, &part, 1)' -DFIELD=part.iov_len" verdict=bug kind=data-race
// expect: case=poll cflags="'-DCALL=poll(&polled, 1, 0)' -DFIELD=polled.revents" verdict=bug kind=data-race
// expect: case=select cflags="'-DCALL=select(1, &set, 0, 0, &no_time)' -DFIELD=*(char*)&set" verdict=bug kind=data-race
// expect: case=epoll cflags="'-DCALL=epoll_wait(poll_set, &event, 1, 0)' -DFIELD=event.events" verdict=bug kind=data-race
// expect: case=event cflags="'-DCALL=eventfd_read(counter, &count)' -DFIELD=count" verdict=bug kind=data-race
// expect: case=stat cflags="'-DCALL=fstat(file, &status)' -DFIELD=status.st_size" verdict=bug kind=data-race
// expect: case=pending cflags="'-DCALL=ioctl(file, FIONREAD, &pending)' -DFIELD=pending" verdict=bug kind=data-race
// expect: case=name cflags="'-DCALL=mkstemp(name)' -DFIELD=name[9]" verdict=bug kind=data-race
// expect: case=directory cflags="'-DCALL=getcwd(bytes, 64)' -DFIELD=bytes[0]" verdict=bug kind=data-race
// expect: case=behind_directory cflags="'-DCALL=getcwd(bytes, 64)' -DFIELD=bytes[63]" verdict=verified
// expect: case=missing cflags="'-DCALL=stat(\"/no such file\", &status)' -DFIELD=status.st_size" verdict=verified
// expect: case=prefix cflags="'-DCALL=mkstemp(name)' -DFIELD=name[0]" verdict=bug kind=data-race
// Memory that the kernel reads and fills for one thread is used by another: exactly the bytes that it touches.
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char bytes[64], name[] = "/tmp/fileXXXXXX";
static int file, counter, poll_set, pending;
static struct iovec part = {bytes, 8};
static struct pollfd polled = {1, POLLOUT, 0};
static struct epoll_event event = {EPOLLIN, {0}};
static struct timeval no_time;
static struct stat status;
static fd_set set;
static eventfd_t count;

static void* call(void* unused) {
  (void)(CALL);
  return unused;
}

int main(void) {
  chdir("/");
  file = open("/etc/passwd", O_RDONLY);
  counter = eventfd(1, 0);
  poll_set = epoll_create1(0);
  epoll_ctl(poll_set, EPOLL_CTL_ADD, counter, &event);
  pthread_t thread;
  pthread_create(&thread, NULL, call, NULL);
  FIELD = 0;
  pthread_join(thread, NULL);
  return 0;
}
