// expect: verdict=bug kind=livelock naive
// expect: case=all verdict=bug kind=livelock algorithms=source,optimal,dpor options=--keep-going
// Counts that commute: one who waits for an intermediate sum may miss it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int sum;

static void* adds(void* unused) {
  atomic_fetch_add(&sum, 1);
  return unused;
}

static void* waits(void* unused) {
  while (sum != 1) { /* ERROR */
  }
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, waits, NULL);
  for (int i = 1; i < 3; ++i) pthread_create(&threads[i], NULL, adds, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
