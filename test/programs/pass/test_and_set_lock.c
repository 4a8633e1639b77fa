// expect: verdict=verified
// A lock made of an exchange. A failed attempt writes the value that is there: the loop is blocked, not endless.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int value;

static void* worker(void* unused) {
  while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire)) {
  }
  value++;
  atomic_flag_clear_explicit(&taken, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value == 2 ? 0 : 1;
}
