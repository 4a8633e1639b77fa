// expect: verdict=verified executions(optimal)=6
// Three threads, each once: one execution for each order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint next_ticket, now_serving;
static int value;

static void* worker(void* unused) {
  const unsigned mine = atomic_fetch_add(&next_ticket, 1);
  while (atomic_load(&now_serving) != mine) {
  }
  value++;
  atomic_store(&now_serving, mine + 1);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(value == 3);
  return 0;
}
