// expect: verdict=verified executions(optimal)=28 executions(dpor)=28
// expect: case=five verdict=verified cflags=-DN=5 executions(optimal)=64 executions(dpor)=64
// expect: case=permuted verdict=verified cflags=-DFINDER_LAST executions(optimal)=28 executions(dpor)=28
// expect: case=eight verdict=verified algorithms=optimal cflags=-DN=8 executions(optimal)=704
// expect: case=eight_permuted verdict=verified algorithms=optimal cflags='-DN=8 -DFINDER_LAST' executions(optimal)=704
// expect: case=ten verdict=verified algorithms=optimal cflags=-DN=10 executions(optimal)=3328
// The last-zero program of the optimal DPOR paper (Abdulla et al.): a finder and N writers in a chain. (N + 3) 2^(N - 2) classes.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif
static atomic_int cells[N + 1];

static void* finder(void* unused) {
  int i = N;
  while (cells[i] != 0) i--;
  return NULL;
}

static void* writer(void* argument) {
  const long j = (long)argument;
  const int below = cells[j - 1];
  cells[j] = below + 1;
  return NULL;
}

int main(void) {
  pthread_t threads[N + 1];
#ifndef FINDER_LAST
  pthread_create(&threads[0], NULL, finder, NULL);
#endif
  for (long j = 1; j <= N; j++) pthread_create(&threads[j], NULL, writer, (void*)j);
#ifdef FINDER_LAST
  pthread_create(&threads[0], NULL, finder, NULL);
#endif
  for (int j = 0; j <= N; j++) pthread_join(threads[j], NULL);
  return 0;
}
