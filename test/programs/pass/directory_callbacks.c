// expect: case=select verdict=verified cflags=-DSELECT
// expect: case=order verdict=verified cflags=-DORDER
// expect: case=library verdict=verified cflags=-DLIBRARY
// expect: case=walk verdict=verified cflags=-DWALK
// expect: case=glob verdict=verified cflags=-DGLOB
// expect: case=result verdict=verified cflags=-DRESULT
// Functions that the library calls while it reads a directory count under a lock.
#define _GNU_SOURCE
#include <dirent.h>
#include <ftw.h>
#include <glob.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int calls;
#ifdef RESULT
static struct dirent** names;
#endif

__attribute__((unused)) static int counted(int result) {
  ++calls;
  return result;
}
__attribute__((unused)) static int keep(const struct dirent* entry) { return counted(entry->d_name[0] == '.'); }
__attribute__((unused)) static int order(const struct dirent** a, const struct dirent** b) { return counted(alphasort(a, b)); }
__attribute__((unused)) static int visit(const char* path, const struct stat* about, int kind, struct FTW* place) {
  (void)about, (void)kind, (void)place;
  return counted(path ? 1 : 0);  // the first is enough
}
__attribute__((unused)) static int failed(const char* path, int error) { return counted(path && error ? 1 : 0); }

static void read_directory(void) {
#if defined SELECT || defined ORDER || defined LIBRARY
  struct dirent** names = NULL;
#endif
#if defined SELECT
  scandir("/proc/self", &names, keep, NULL);
#elif defined ORDER
  scandir("/proc/self/task", &names, NULL, order);
#elif defined LIBRARY
  scandir("/proc/self/task", &names, NULL, alphasort);
#elif defined RESULT
  scandir("/proc/self/task", &names, NULL, NULL);
#elif defined WALK
  nftw("/proc/self/task", visit, 4, FTW_PHYS);
#else
  glob_t found;
  if (glob("/proc/self/no such folder/../*/*", GLOB_ERR, failed, &found) == 0) globfree(&found);
  ++calls;
#endif
}

static void* worker(void* argument) {
#ifndef DEFECT
  pthread_mutex_lock(&mutex);
#endif
  read_directory();
#ifndef DEFECT
  pthread_mutex_unlock(&mutex);
#endif
  return argument;
}

int main(void) {
  (void)mutex;
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker(NULL);
  pthread_join(thread, NULL);
  return calls < 0;
}
