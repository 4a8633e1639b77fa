// expect: verdict=bug kind=assertion|data-race options=--visible=all
// The location becomes shared only late in some executions; earlier accesses to it are scheduling points all the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int value;
static atomic_int enabled;

static void* first(void* unused) {
  value = 1; /* ERROR */
  enabled = 1;
  value = 2; /* ERROR */
  return NULL;
}

static void* second(void* unused) {
  if (enabled) {
    assert(value == 2); /* ERROR */
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, second, NULL);
  pthread_create(&b, NULL, first, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
