// expect: case=read cflags="-DKIND=O_RDONLY '-DFINE=read(file, &byte, 1) == 1' -DPATH='\"/dev/zero\"'" verdict=bug kind=assertion
// expect: case=write cflags="-DKIND=O_WRONLY '-DFINE=write(file, &byte, 1) == 1' -DPATH='\"/dev/null\"'" verdict=bug kind=assertion
// expect: case=isatty cflags="-DKIND=O_WRONLY '-DFINE=!isatty(file) && errno == ENOTTY' -DPATH='\"/dev/null\"'" verdict=bug kind=assertion
// expect: case=fstat cflags="-DKIND=O_RDONLY '-DFINE=!fstat(file, &status)' -DPATH='\"/etc/passwd\"'" verdict=bug kind=assertion
// expect: case=flags cflags="-DKIND=O_RDONLY '-DFINE=fcntl(file, F_GETFL) >= 0' -DPATH='\"/etc/passwd\"'" verdict=bug kind=assertion
// expect: case=dup cflags="-DKIND=O_RDONLY '-DFINE=dup(file) >= 0' -DPATH='\"/dev/null\"'" verdict=bug kind=assertion
// expect: case=poll cflags="-DKIND=O_RDONLY '-DFINE=poll(&polled, 1, 0) == 1 && !(polled.revents & POLLNVAL)' -DPATH='\"/dev/null\"'" verdict=bug kind=assertion
// expect: case=replaced cflags="-DREPLACE -DKIND=O_RDONLY '-DFINE=read(file, &byte, 1) == 1' -DPATH='\"/dev/zero\"'" verdict=bug kind=assertion
// A descriptor is closed, or made to stand for another file, while another thread uses it: every call looks the number up.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static int file;

static void* closer(void* unused) {
#ifdef REPLACE
  dup2(1, file);
#else
  close(file);
#endif
  return unused;
}

int main(void) {
  char byte = 'x';
  struct stat status;
  file = open(PATH, KIND);
  struct pollfd polled = {file, POLLIN, 0};
  (void)byte, (void)status, (void)polled;
  pthread_t thread;
  pthread_create(&thread, NULL, closer, NULL);
  assert(FINE); /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
