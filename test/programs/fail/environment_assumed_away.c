// expect: verdict=bug kind=assertion
// The thread whose assumption fails inside a section stops for ever; what the others do later is explored all the same (SEMANTICS E.1).
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int first, x;

static void* assumer(void* unused) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(x == 0);
  __VERIFIER_atomic_end();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, assumer, NULL);
  __VERIFIER_atomic_begin();
  first = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  x = 1;
  __VERIFIER_atomic_end();
  assert(first == 0); /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
