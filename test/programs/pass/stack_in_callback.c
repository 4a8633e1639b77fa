// What the library and the runtime hand to functions of the program's may stand in their own frames, where objects have ended.
// expect: case=plain verdict=verified
// expect: case=optimised verdict=verified cflags=-O2
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <ftw.h>
#include <glob.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static int *left[200];

__attribute__((noinline)) static void leave(int depth) {
  int local[16] = {depth};
  left[depth] = local;
  if (depth + 1 < 200) leave(depth + 1);
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int compare_with(const void *a, const void *b, void *count) {
  ++*(int *)count;
  return compare(a, b);
}
static jmp_buf out;
static int give_up(const void *a, const void *b) {
  if (*(const int *)a > 2 && *(const int *)b > 2) longjmp(out, 1);
  return compare(a, b);
}

static int seen, largest;
static int visit(const char *path, const struct stat *about, int kind, struct FTW *place) {
  (void)kind;
  seen += path[0] == '/' && about->st_size >= 0;
  if (place->level > largest) largest = place->level;
  return seen == 3;
}
static int visit_plain(const char *path, const struct stat *about, int kind) {
  (void)kind;
  return path[0] == '/' && about->st_size >= 0;
}
static int order(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }
static int no_error(const char *path, int error) { return path[0] == 0 || error == 0; }
static int of_signal;
static void handle(int number, siginfo_t *about, void *context) {
  (void)context;
  of_signal = number == about->si_signo;
}

static void *run(void *unused) {
  (void)unused;
  leave(0);
  int numbers[] = {5, 3, 4, 1, 2}, count = 0;
  qsort(numbers, 5, sizeof *numbers, compare);
  assert(numbers[0] == 1 && numbers[4] == 5);
  static int wide[5][100] = {{5}, {3}, {4}, {1}, {2}};
  qsort_r(wide, 5, sizeof *wide, compare_with, &count);
  assert(wide[0][0] == 1 && count > 3);
  int others[] = {1, 2, 4, 3};
  if (!setjmp(out)) qsort(others, 4, sizeof *others, give_up);
  leave(0);
  qsort(others, 4, sizeof *others, compare);
  nftw("/", visit, 4, FTW_PHYS);
  ftw("/", visit_plain, 4);
  struct dirent **names;
  int found = scandir("/", &names, 0, order);
  assert(found > 2 && seen == 3 && largest >= 1);
  while (found) free(names[--found]);
  free(names);
  glob_t paths;
  glob("/*/none", 0, no_error, &paths);
  globfree(&paths);
  return 0;
}

int main(void) {
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, 0);
  leave(0);
  raise(SIGUSR1);
  assert(of_signal);
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
}
