// expect: verdict=bug kind=assertion
// A value that nobody uses is loaded through a bad pointer: the compiler leaves the load out, so the program ends in abort().
// A report, which shows the values of accesses, must not fault there itself.
#include <pthread.h>
#include <stdlib.h>

struct Part {
  int first, size;
};

static struct Part* part;

static void* take(void* unused) {
  const int size = part->size;
  (void)size;
  abort();
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, take, 0);
  pthread_join(t, 0);
}
