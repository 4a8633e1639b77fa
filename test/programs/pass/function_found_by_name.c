// expect: verdict=verified
// A pointer to a function of the library's that touches no memory, got by its name.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static long (*function)(long);

static void* worker(void* argument) {
  function(1);
  return argument;
}

int main(void) {
  function = (long (*)(long))dlsym(RTLD_DEFAULT, "labs");
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker(NULL);
  pthread_join(thread, NULL);
  return 0;
}
