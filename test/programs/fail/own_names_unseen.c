// expect: verdict=inconclusive cflags=-fno-builtin sources=../parts/own_names_unseen.c assumption="uninstrumented function called: getopt at own_names_unseen.c:23"
// expect: case=strings verdict=inconclusive cflags="-fno-builtin -DSTRINGS" sources=../parts/own_names_unseen.c assumption="uninstrumented function called: strcpy at own_names_unseen.c:21"
// expect: case=pointer verdict=inconclusive cflags="-fno-builtin -DPOINTER" sources=../parts/own_names_unseen.c assumption="uninstrumented function called: pointer (a function pointer)"
// expect: case=pruned verdict=inconclusive algorithms=pdp cflags=-fno-builtin sources=../parts/own_names_unseen.c assumption="uninstrumented function called: getopt"
// Functions by names of the library's whose code has no hooks: they are neither the library's, nor seen.
#include <pthread.h>
#include <stddef.h>

int getopt(int count, char* const texts[], const char* options);
char* strcpy(char* to, const char* from);
int isascii(int character);

int (*volatile pointer)(int) = isascii;

static void* worker(void* argument) {
#if defined POINTER
  int (*const function)(int) = pointer;
  function('a');
#elif defined STRINGS
  char text[8];
  strcpy(text, "own");
#else
  getopt(0, NULL, "");  // no call of the library's: its state is not touched
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker(NULL);
  pthread_join(thread, NULL);
  return 0;
}
