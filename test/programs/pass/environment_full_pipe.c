// expect: verdict=verified
// A write that does not fit waits for the reader; standard output goes to a file of the execution when it is opened again.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int pipes[2];
static char big[200000], part[65536];

static void* writer(void* unused) {
  memset(big, 'x', sizeof big);
  assert(write(pipes[1], big, sizeof big) == sizeof big);
  close(pipes[1]);
  return unused;
}

int main(void) {
  if (pipe(pipes)) return 1;
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  size_t sum = 0;
  for (ssize_t n; (n = read(pipes[0], part, sizeof part)) > 0;) sum += (size_t)n;
  assert(sum == sizeof big);
  pthread_join(thread, NULL);
  assert(freopen("made-by-environment_full_pipe", "w", stdout) == stdout);
  printf("number %d\n", 5);
  fflush(stdout);
  dprintf(fileno(stdout), "more\n");
  FILE* file = fopen("made-by-environment_full_pipe", "r");
  int number = 0;
  char line[8];
  assert(fscanf(file, "number %d\n", &number) == 1 && number == 5);
  assert(fgets(line, sizeof line, file) && strcmp(line, "more\n") == 0);
  assert(fclose(file) == 0);
  return 0;
}
