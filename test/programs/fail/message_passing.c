// expect: verdict=bug kind=data-race naive
// The flag is atomic but relaxed: it orders nothing else.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int flag;

static void* sender(void* unused) {
  data = 42; /* ERROR */
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return NULL;
}

static void* receiver(void* unused) {
  if (atomic_load_explicit(&flag, memory_order_relaxed)) {
    return data == 42 ? NULL : unused; /* ERROR */
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, sender, NULL);
  pthread_create(&b, NULL, receiver, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
