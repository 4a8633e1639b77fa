// expect: verdict=verified
// expect: case=plain cflags=-DPLAIN verdict=bug kind=data-race|assertion
// A lock that is taken by compare-exchange.
#include <stdatomic.h>
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
_Atomic int lock;
unsigned data;
unsigned by;
int take(void) {
#ifdef PLAIN
  if (lock) return 0;
  lock = 1;
  return 1;
#else
  int expected = 0;
  return atomic_compare_exchange_strong(&lock, &expected, 1);
#endif
}
void *run(void *unused) {
  if (take()) {
    unsigned old = data;
    data = old + by;
    assert(data == old + by);
    lock = 0;
  }
  return unused;
}
int main(void) {
  pthread_t t[2];
  by = __VERIFIER_nondet_uint();
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(data == 0 || data == by || data == 2 * by);
  return 0;
}
