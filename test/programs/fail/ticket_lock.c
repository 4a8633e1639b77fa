// expect: verdict=bug kind=livelock
// The holder forgets to hand over: the next one waits for ever.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint next_ticket, now_serving;

static void* worker(void* unused) {
  const unsigned mine = atomic_fetch_add(&next_ticket, 1);
  while (atomic_load(&now_serving) != mine) { /* ERROR */
  }
  if (mine) atomic_store(&now_serving, mine + 1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
