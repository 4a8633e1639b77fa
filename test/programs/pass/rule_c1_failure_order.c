// expect: verdict=verified naive executions(optimal)=2
// With acquire as failure order the read is ordered.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int flag;

static void* publisher(void* unused) {
  data = 42;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return NULL;
}

static void* reader(void* unused) {
  int expected = 0;
  if (!atomic_compare_exchange_strong_explicit(&flag, &expected, 2, memory_order_acq_rel, memory_order_acquire)) {
    assert(data == 42);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, publisher, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
