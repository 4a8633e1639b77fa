// The times that a file is given are read.
// expect: case=utime verdict=bug kind=data-race cflags=-DSET=utime(path,&whole)
// expect: case=utimes verdict=bug kind=data-race cflags=-DSET=utimes(path,halves)
// expect: case=utimensat verdict=bug kind=data-race cflags=-DSET=utimensat(AT_FDCWD,path,exact,0)
// expect: case=futimens verdict=bug kind=data-race cflags=-DSET=futimens(1,exact)
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <utime.h>

static const char path[] = "no file";
static struct utimbuf whole;
static struct timeval halves[2];
static struct timespec exact[2];

static void *writer(void *unused) {
  whole.modtime = 1;
  halves[1].tv_sec = 1;
  exact[1].tv_nsec = 1;
  return unused;
}

int main(void) {
  (void)path;
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  SET;
  pthread_join(thread, NULL);
}
