// Functions found by their names: the program's own, one that the runtime models, and one that is not there.
//
// expect: verdict=verified cflags=-rdynamic naive
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

void add_one(void) { ++count; }

static void* worker(void* unused) {
  int (*const enter)(pthread_mutex_t*) = (int (*)(pthread_mutex_t*))dlsym(RTLD_DEFAULT, "pthread_mutex_lock");
  void (*const add)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "add_one");
  assert(enter && add && !dlsym(RTLD_DEFAULT, "no_such_function"));
  enter(&lock);
  add();
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker(NULL);
  pthread_join(thread, NULL);
  return count != 2;
}
