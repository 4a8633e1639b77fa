// expect: verdict=verified
// expect: cflags=-DOUTSIDE verdict=bug text="BUG: memory-error: an access outside of every object at array_index.c:16"
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
int a[4];
unsigned i, j;
#ifdef OUTSIDE
#define LAST 4
#else
#define LAST 3
#endif
void *set(void *unused) {
  unsigned k = i;
  // Another element than main's.
  a[k] = 50;
  return unused;
}
int main(void) {
  pthread_t t;
  i = __VERIFIER_nondet_uint();
  j = __VERIFIER_nondet_uint();
  __VERIFIER_assume(i <= LAST && j <= 3 && i != j);
  pthread_create(&t, 0, set, 0);
  a[j] = 10;
  a[j] = a[j] + 100;
  pthread_join(t, 0);
  assert(a[j] == 110 && a[i] == 50);
  return 0;
}
