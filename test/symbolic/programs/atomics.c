// expect: verdict=verified
// expect: cflags=-DRELAXED verdict=unsupported text="a relaxed atomic operation"
// expect: cflags=-DPLAIN verdict=bug text="BUG: data-race"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
_Atomic int n, turn;
int data;
void *run(void *unused) {
  atomic_fetch_add(&n, 2);
#ifdef PLAIN
  data = 1;
#endif
  int expected = 0;
  if (atomic_compare_exchange_strong(&turn, &expected, 1)) {
    data = 5;
#ifdef RELAXED
    atomic_store_explicit(&turn, 2, memory_order_relaxed);
#else
    atomic_store(&turn, 2);
#endif
  }
  return unused;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
  if (turn == 2) assert(data == 5);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(n == 4 && data == 5);
  return 0;
}
