// N readers of one location each and a writer of all of them: 2^N orders.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 5
#endif
static atomic_int cells[N];

static void* writer(void* unused) {
  for (int i = 0; i < N; i++) atomic_store(&cells[i], 1);
  return NULL;
}

static void* reader(void* cell) {
  (void)atomic_load((atomic_int*)cell);
  return NULL;
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[N], NULL, writer, NULL);
  for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, reader, &cells[i]);
  for (int i = 0; i <= N; i++) pthread_join(threads[i], NULL);
  return 0;
}
