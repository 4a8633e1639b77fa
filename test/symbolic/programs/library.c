// expect: verdict=verified
// expect: cflags=-DTEXT verdict=unsupported text="output of something else than numbers and constant strings"
// expect: cflags=-DWRITES verdict=unsupported text="output of something else"
// expect: cflags=-DOTHER verdict=unsupported text="output of something else"
// expect: cflags=-DLACKS verdict=unsupported text="output of something else"
// expect: cflags=-DRESULT verdict=bug text="BUG: assertion"
// expect: cflags=-DEXIT verdict=bug text="BUG: exit-status: exit with another status than 0"
// expect: cflags=-DLEAVES verdict=verified
// Output is nothing to the program; exit ends it, whoever calls it.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
char text[4] = "abc";
int written;
void *run(void *unused) {
  puts("a thread");
#ifdef EXIT
  exit(3);
#endif
#ifdef LEAVES
  exit(0);
#endif
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  printf("%d and %s\n", 3, "constant");
  fprintf(stderr, "%5.2i%%n\n", 4);
#ifdef TEXT
  printf("%s\n", text);
#endif
#ifdef WRITES
  printf("%d%hn\n", 3, (short *)&written);
#endif
#ifdef OTHER
  printf("%s\n", written);
#endif
#ifdef LACKS
  printf("%d %*d\n", 1, 2);
#endif
#ifdef RESULT
  assert(printf("x") == 1);
#endif
#ifdef LEAVES
  // Held when the process ends.
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  assert(0);
#endif
  pthread_join(t, 0);
  return 0;
}
