// expect: verdict=verified executions(optimal)=2 naive
// Plain accesses inside an atomic section are one step, and conflicting sections synchronise.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
#include <stddef.h>

static int left, right;

static void* worker(void* unused) {
  inspect_atomic_begin();
  left++;
  right++;
  inspect_atomic_end();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(left == 2 && right == 2);
  return 0;
}
