// expect: verdict=inconclusive reason="50 executions were sampled" algorithms=random,pct options=--max-executions=50
// expect: case=default verdict=inconclusive reason="10000 executions were sampled" algorithms=random,pct
// expect: case=exhaustive verdict=verified
// Nothing is wrong here, but a sample, however large, does not show that.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;

static void* work(void* unused) {
  atomic_fetch_add(&a, 1);
  atomic_store(&b, atomic_load(&a));
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, work, 0);
  work(0);
  pthread_join(other, 0);
  return atomic_load(&a) == 2 && atomic_load(&b) >= 1 ? 0 : 1;
}
