// expect: verdict=bug kind=assertion options=--max-executions=300
// The turn of the loop adds to an atomic count and takes it back, and another thread may see it in between: the bug needs two such
// turns.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int working, done;

static void *worker(void *unused) {
  for (int seen = 0; !seen;) {
    atomic_fetch_add(&working, 1);
    seen = atomic_load(&done);
    if (atomic_fetch_sub(&working, 1) != 1) abort();
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  const int first = atomic_load(&working), second = atomic_load(&working), third = atomic_load(&working);
  assert(!(first && !second && third)); /* ERROR */
  atomic_store(&done, 1);
  pthread_join(thread, NULL);
  return 0;
}
