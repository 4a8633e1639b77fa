// expect: verdict=verified naive
// A relaxed read-modify-write continues the release sequence: who acquires from it sees what the first store published.
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

static void* modifier(void* unused) {
  int one = 1;
  atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_relaxed, memory_order_relaxed);
  return NULL;
}

static void* reader(void* unused) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 2) assert(data == 42);
  return NULL;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, publisher, NULL);
  pthread_create(&b, NULL, modifier, NULL);
  pthread_create(&c, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
