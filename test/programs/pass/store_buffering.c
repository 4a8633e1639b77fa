// expect: verdict=verified naive executions(optimal)=3
// Store buffering: with sequentially consistent atomics not both loads return zero.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int a, b;

static void* first(void* unused) {
  x = 1;
  a = y;
  return NULL;
}

static void* second(void* unused) {
  y = 1;
  b = x;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, first, NULL);
  pthread_create(&t, NULL, second, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(a || b);
  return 0;
}
