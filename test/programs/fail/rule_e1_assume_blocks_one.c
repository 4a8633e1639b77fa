// expect: verdict=bug kind=assertion naive
// A failed assumption stops its own thread only.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int value;

static void* assumer(void* unused) {
  inspect_assume(value == 1);
  return NULL;
}

static void* failing(void* unused) {
  value = 1;
  assert(value != 1); /* ERROR */
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, assumer, NULL);
  pthread_create(&b, NULL, failing, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
