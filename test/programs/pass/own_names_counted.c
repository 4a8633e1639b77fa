// expect: verdict=verified cflags=-fno-builtin sources=../parts/own_names_counted.c naive
// expect: case=pruned verdict=verified algorithms=pdp cflags=-fno-builtin sources=../parts/own_names_counted.c
// expect: case=option verdict=verified cflags="-fno-builtin -DOPTION" sources=../parts/own_names_counted.c
// expect: case=option_pruned verdict=verified algorithms=pdp cflags="-fno-builtin -DOPTION" sources=../parts/own_names_counted.c
// Functions by names of the library's that another source file defines: they touch what they touch, and no state of the
// library's.
#include <pthread.h>
#include <stddef.h>

int getopt(int count, char* const texts[], const char* options);
char* strcpy(char* to, const char* from);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char shared[8];

static void* worker(void* argument) {
#ifndef DEFECT
  pthread_mutex_lock(&mutex);
#endif
#ifdef OPTION
  getopt(0, NULL, "");
#else
  strcpy(shared, (char*)argument);  // one that copies nothing
#endif
#ifndef DEFECT
  pthread_mutex_unlock(&mutex);
#endif
#ifdef OPTION
  (void)shared, (void)mutex;
#endif
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, "one");
  worker("two");
  pthread_join(thread, NULL);
  return 0;
}
