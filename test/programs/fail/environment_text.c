// expect: case=changed verdict=bug kind=data-race cflags=-DCHANGED algorithms=optimal
// expect: case=ended verdict=bug kind=memory-error cflags=-DENDED algorithms=optimal
// A text given to putenv is part of the environment: who looks for a variable reads it.
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static char text[] = "COLOUR=red";

static void* look(void* unused) {
  getenv("COLOUR");
  return unused;
}

__attribute__((noinline)) static void set(void) {
  char local[] = "COLOUR=red";
  putenv(local);
}

int main(void) {
#ifdef ENDED
  set();
#else
  putenv(text);
#endif
  pthread_t thread;
  pthread_create(&thread, NULL, look, NULL);
  text[0] = 'F';
  pthread_join(thread, NULL);
  return 0;
}
