// expect: case=printed verdict=bug kind=data-race cflags=-DPRINTED algorithms=optimal
// expect: case=scanned verdict=bug kind=data-race cflags=-DSCANNED algorithms=optimal
// expect: case=copied verdict=verified algorithms=optimal,dpor
// A call that takes a list of arguments takes them off it: who uses the list meanwhile has a race.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static va_list shared, copy;

static void use(va_list list, int scans) {
  char text[20];
  int a = 0, b = 0;
  if (scans) {
    sscanf("1 2", "%d %d", &a, &b);
    vsscanf("3", "%d", list); /* ERROR */
  } else {
    vsnprintf(text, sizeof text, "%d", list); /* ERROR */
    assert(!strcmp(text, "1"));
  }
}

static void* worker(void* unused) {
#if defined(PRINTED)
  use(shared, 0);
#elif defined(SCANNED)
  use(shared, 1);
#else
  use(copy, 0);
#endif
  return unused;
}

static void start(int count, ...) {
  pthread_t thread;
  va_start(shared, count);
  va_copy(copy, shared);
  pthread_create(&thread, NULL, worker, NULL);
#if defined(SCANNED)
  use(shared, 1);
#else
  use(shared, 0);
#endif
  pthread_join(thread, NULL);
  va_end(copy);
  va_end(shared);
}

int main(void) {
#if defined(SCANNED)
  int a, b;
  start(2, &a, &b);
#else
  start(2, 1, 2);
#endif
  return 0;
}
