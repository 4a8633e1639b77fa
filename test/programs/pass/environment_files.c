// expect: verdict=verified executions(optimal)=2
// Every execution finds the same files: what one wrote, moved and removed is gone in the next, and the real file never changes.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* worker(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void write_text(const char* path, const char* text) {
  FILE* file = fopen(path, "w");
  assert(file);
  fputs(text, file);
  assert(fclose(file) == 0);
}

static void expect_text(const char* path, const char* text) {
  char found[64] = "";
  const int fd = open(path, O_RDONLY);
  assert(fd >= 3);
  assert(read(fd, found, sizeof found - 1) == (ssize_t)strlen(text));
  assert(strcmp(found, text) == 0);
  assert(close(fd) == 0);
}

int main(void) {
  struct stat status;
  assert(access("made-by-environment_files", F_OK) < 0 && errno == ENOENT);
  write_text("made-by-environment_files", "first\n");
  expect_text("./made-by-environment_files", "first\n");
  assert(stat("made-by-environment_files", &status) == 0 && status.st_size == 6 && S_ISREG(status.st_mode));
  assert(rename("made-by-environment_files", "moved-by-environment_files") == 0);
  assert(stat("made-by-environment_files", &status) < 0 && errno == ENOENT);
  const int fd = open("moved-by-environment_files", O_RDWR | O_APPEND);
  assert(write(fd, "second\n", 7) == 7 && lseek(fd, 0, SEEK_CUR) == 13);
  expect_text("moved-by-environment_files", "first\nsecond\n");
  assert(unlink("moved-by-environment_files") == 0 && open("moved-by-environment_files", O_RDONLY) < 0 && errno == ENOENT);
  assert(fstat(fd, &status) == 0 && status.st_size == 13 && status.st_nlink == 0);
  assert(ftruncate(fd, 2) == 0 && fstat(fd, &status) == 0 && status.st_size == 2);
  assert(open("/etc/passwd", O_RDWR | O_CREAT | O_EXCL, 0600) < 0 && errno == EEXIST);
  write_text("left-behind-by-environment_files", "x");
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
