// expect: verdict=verified algorithms=source,optimal,dpor
// What a turn adds and takes away again leaves alone what another thread adds.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint done, count;

static void* waiter(void* unused) {
  unsigned before = 0;
  while (!atomic_load(&done) && before < 3)
    if (!atomic_load(&count)) {
      atomic_fetch_add(&count, 1);
      before = atomic_fetch_sub(&count, 1);
    }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  atomic_fetch_add(&count, 1);
  atomic_store(&done, 1);
  pthread_join(thread, NULL);
  assert(atomic_load(&count) == 1);
  return 0;
}
