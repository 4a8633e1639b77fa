// The message about an option that is not known waits for the lock of stderr, which is not seen.
//
// expect: verdict=inconclusive assumption=getopt algorithms=dpor
// expect: case=silent cflags=-DSILENT verdict=verified algorithms=dpor
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#ifdef SILENT
static const char letters[] = ":a";
#else
static const char letters[] = "a";
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* worker(void* unused) {
  flockfile(stderr);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  funlockfile(stderr);
  return unused;
}

int main(void) {
  char name[] = "program", option[] = "-z", *arguments[] = {name, option, NULL};
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_mutex_lock(&lock);
  const int found = getopt(2, arguments, letters);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return found != '?';
}
