// expect: verdict=verified
// Files that a constructor opened: what it wrote and how far it read is there in every execution, and what threads write is not in the next.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *log_file, *data;

__attribute__((constructor)) static void open_files(void) {
  log_file = fopen("/dev/null", "w");
  data = tmpfile();
  fputs("first\n", data);
  fflush(data);
}

static void* work(void* unused) {
  fprintf(log_file, "working\n");
  fputs("line\n", data);
  fflush(data);
  return unused;
}

int main(void) {
  struct stat status;
  assert(!fstat(fileno(data), &status) && status.st_size == 6 && ftell(data) == 6);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  char line[16];
  rewind(data);
  assert(fgets(line, sizeof line, data) && !strcmp(line, "first\n"));
  assert(fgets(line, sizeof line, data) && !strcmp(line, "line\n"));
  assert(fgets(line, sizeof line, data) && !fgets(line, sizeof line, data));
  return fclose(log_file);
}
