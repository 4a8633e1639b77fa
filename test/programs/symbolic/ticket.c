// expect: verdict=verified
// expect: case=twice cflags=-DTWICE verdict=bug kind=data-race|assertion
// A ticket lock, whose counter may stand anywhere at first. Broken: two threads may draw one ticket.
#include <stdatomic.h>
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
_Atomic unsigned next, serving;
int data;
unsigned draw(void) {
#ifdef TWICE
  unsigned mine = next;
  next = mine + 1;
  return mine;
#else
  return atomic_fetch_add(&next, 1);
#endif
}
void *run(void *unused) {
  unsigned mine = draw();
  inspect_assume(serving == mine);
  int old = data;
  data = old + 1;
  assert(data == old + 1);
  serving = mine + 1;
  return unused;
}
int main(void) {
  pthread_t a, b;
  unsigned first = __VERIFIER_nondet_uint();
  next = first;
  serving = first;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
