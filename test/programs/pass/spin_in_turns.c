// expect: verdict=verified naive executions(source)=6 executions(optimal)=6 redundant(source)=0 redundant(optimal)=0
// Three threads draw tickets, and each waits until it is served: six orders of the tickets, one of what follows.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint next, serving;
static int count;

static void* works(void* unused) {
  const unsigned ticket = atomic_fetch_add(&next, 1);
  while (atomic_load(&serving) != ticket) sched_yield();
  ++count;
  atomic_store(&serving, ticket + 1);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, works, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return count != 3;
}
