// expect: verdict=verified
// expect: case=lost cflags=-DLOST verdict=bug kind=assertion
// Atomic additions of any two numbers; a load and a store instead lose one.
#include <stdatomic.h>
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
_Atomic unsigned n;
unsigned by[2];
void *add(void *arg) {
#ifdef LOST
  unsigned old = n;
  n = old + *(unsigned *)arg;
#else
  atomic_fetch_add(&n, *(unsigned *)arg);
#endif
  return 0;
}
int main(void) {
  pthread_t a, b;
  by[0] = __VERIFIER_nondet_uint();
  by[1] = __VERIFIER_nondet_uint();
  pthread_create(&a, 0, add, &by[0]);
  pthread_create(&b, 0, add, &by[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(n == by[0] + by[1]);
  return 0;
}
