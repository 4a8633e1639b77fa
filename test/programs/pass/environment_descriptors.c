// expect: verdict=verified stdin=abc
// Standard descriptors may be closed, redirected and restored; the next execution finds them as they were.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void* worker(void* unused) {
  const int fd = open("/dev/null", O_WRONLY);
  assert(fd > 2 && write(fd, "x", 1) == 1 && close(fd) == 0);
  return unused;
}

int main(void) {
  char text[8] = "";
  assert(read(0, text, 1) == 1 && text[0] == 'a');
  assert(getchar() == 'b' && getchar() == 'c' && getchar() == EOF);
  const int saved = dup(1);
  const int file = open("made-by-environment_descriptors", O_RDWR | O_CREAT | O_TRUNC, 0600);
  assert(dup2(file, 1) == 1);
  printf("into the file\n");
  fflush(stdout);
  assert(dup2(saved, 1) == 1);
  assert(pread(file, text, 4, 0) == 4 && memcmp(text, "into", 4) == 0);
  assert(close(file) == 0 && close(file) < 0 && errno == EBADF);
  close(0);
  assert(open("made-by-environment_descriptors", O_RDONLY) == 0);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
