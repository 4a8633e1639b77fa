// expect: case=read verdict=bug kind=data-race cflags=-DREAD algorithms=optimal
// expect: case=write verdict=bug kind=data-race cflags=-DWRITE algorithms=optimal
// expect: case=time verdict=bug kind=data-race cflags=-DTIME algorithms=optimal
// expect: case=random verdict=bug kind=data-race cflags=-DRANDOM algorithms=optimal
// What a system call made by its number reads and writes of the caller's memory.
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int ends[2];
static char bytes[sizeof(struct timespec)] = "text";

static void* call(void* unused) {
#if defined READ
  syscall(SYS_read, ends[0], bytes, 4);
#elif defined WRITE
  syscall(SYS_write, ends[1], bytes, 4);
#elif defined TIME
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, bytes);
#else
  syscall(SYS_getrandom, bytes, 4, 0);
#endif
  return unused;
}

int main(void) {
  pipe(ends);
  write(ends[1], "abcd", 4);
  pthread_t thread;
  pthread_create(&thread, NULL, call, NULL);
  bytes[1] = 'x';
  pthread_join(thread, NULL);
  return 0;
}
