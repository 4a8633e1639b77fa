// Load and store are atomic, the update is not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

atomic_int tickets;

static void* sell(void* unused) {
  int sold = atomic_load(&tickets);
  atomic_store(&tickets, sold + 1);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, sell, 0);
  sell(0);
  pthread_join(other, 0);
  printf("%d tickets\n", tickets);
  fflush(stdout);
  assert(tickets == 2);
}
