// expect: verdict=verified executions(optimal)=328 executions(dpor)=328
// expect: case=four verdict=verified cflags=-DN=4 executions(optimal)=3334 executions(dpor)=3334
// expect: case=five verdict=verified algorithms=optimal cflags=-DN=5 executions(optimal)=34904
// Two threads, each N times a load and a store of one variable.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif
static atomic_int x;

static void* worker(void* unused) {
  for (int i = 0; i < N; i++) {
    const int seen = x;
    x = seen + 1;
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(x >= 2);
  return 0;
}
