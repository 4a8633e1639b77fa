// expect: verdict=verified
// A lock made of an assumption in an atomic section, as the verification competitions write it.
#include <assert.h>

#include <pthread.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int lock, inside;

static void* worker(void* unused) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(lock == 0);
  lock = 1;
  __VERIFIER_atomic_end();
  assert(++inside == 1);
  --inside;
  __VERIFIER_atomic_begin();
  lock = 0;
  __VERIFIER_atomic_end();
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
