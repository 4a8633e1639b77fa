// expect: verdict=verified algorithms=optimal
// Streams that keep no memory of the program: buffered as the library likes, or not at all.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static void* print(void* unused) {
  fputs("from a thread\n", stdout);
  return unused;
}

int main(void) {
  pthread_t thread;
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  setbuf(stderr, NULL);
  pthread_create(&thread, 0, print, 0);
  fputs("from main\n", stdout);
  pthread_join(thread, 0);
  assert(!ferror(stdout));
}
