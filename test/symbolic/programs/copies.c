// expect: verdict=verified
// expect: cflags=-DRACES verdict=bug text="BUG: data-race"
// expect: cflags=-DRACES options=--no-races verdict=unsupported text="memcpy"
#include <assert.h>
#include <pthread.h>
struct pair {
  short a;
  long b;
} shared = {1, 2};
void *run(void *unused) {
#ifdef RACES
  shared.a = 5;
#else
  (void)shared;
#endif
  return unused;
}
int main(void) {
  int numbers[4] = {3, 1, 2, 0}, zeros[3] = {0};
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  struct pair copy = shared;
  pthread_join(t, 0);
  assert(numbers[numbers[0]] == zeros[numbers[1]]);
  assert(copy.a + copy.b == 3);
  return 0;
}
