// expect: verdict=inconclusive assumption="uninstrumented function called: fill (a function pointer)"
// expect: case=length verdict=inconclusive cflags=-DLENGTH assumption="uninstrumented function called: length (a function pointer)"
// A pointer to a function that the library chooses for the processor, got by its name: it touches memory all the same.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static char text[8] = "text";
#ifdef LENGTH
static size_t (*length)(const char*);
#define FIND() (length = (size_t(*)(const char*))dlsym(RTLD_DEFAULT, "strlen"))
#define USE() length(text)
#else
static void* (*fill)(void*, int, size_t);
#define FIND() (fill = (void* (*)(void*, int, size_t))dlsym(RTLD_DEFAULT, "memset"))
#define USE() fill(text, 0, sizeof text)
#endif

static void* worker(void* argument) {
  USE();
  return argument;
}

int main(void) {
  FIND();
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  text[0] = 'T';
  pthread_join(thread, NULL);
  return 0;
}
