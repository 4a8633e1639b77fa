// expect: verdict=bug kind=data-race naive
// A compare-exchange that fails has its failure order only: relaxed here.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int flag;

static void* publisher(void* unused) {
  data = 42; /* ERROR */
  atomic_store_explicit(&flag, 1, memory_order_release);
  return NULL;
}

static void* reader(void* unused) {
  int expected = 0;
  if (!atomic_compare_exchange_strong_explicit(&flag, &expected, 2, memory_order_acq_rel, memory_order_relaxed)) {
    return data == 42 ? NULL : unused; /* ERROR */
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
