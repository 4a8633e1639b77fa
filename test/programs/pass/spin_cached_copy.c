// expect: verdict=verified naive
// A waiting loop refreshes a copy of what it waits for at each turn; a turn in vain stores the value that is there already.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static struct {
  long count;
  int seen;
} cache;

static void* waiter(void* unused) {
  while (!cache.seen) {
    cache.count = 3;
    cache.seen = atomic_load(&flag);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  atomic_store(&flag, 1);
  pthread_join(thread, NULL);
  return cache.count == 3 ? 0 : 1;
}
