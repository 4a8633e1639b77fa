// expect: verdict=bug kind=data-race naive
// A relaxed store by another thread breaks the release sequence.
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

static void* modifier(void* unused) {
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 1) atomic_store_explicit(&flag, 2, memory_order_relaxed);
  return NULL;
}

static void* reader(void* unused) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 2) {
    return data == 42 ? NULL : unused; /* ERROR */
  }
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
