// expect: verdict=bug kind=assertion naive
// An atomic section adds twice, once with a result that is used: not independent of another that adds.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int seen;

static void* section(void* unused) {
  inspect_atomic_begin();
  atomic_fetch_add(&x, 1);
  seen = atomic_fetch_add(&x, 1);
  inspect_atomic_end();
  return unused;
}

static void* adds(void* unused) {
  atomic_fetch_add(&x, 1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, section, NULL);
  pthread_create(&threads[1], NULL, adds, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(seen == 1); /* ERROR */
}
