// expect: verdict=verified executions(optimal)=16 executions(dpor)=16
// expect: case=five verdict=verified cflags=-DN=5 executions(optimal)=32 executions(dpor)=32
// expect: case=permuted verdict=verified cflags=-DWRITER_LAST executions(optimal)=16 executions(dpor)=16
// expect: case=ten verdict=verified algorithms=optimal cflags=-DN=10 executions(optimal)=1024
// One writer of N variables, a reader for each: 2^N classes, in whatever order the threads are created.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif
static atomic_int x[N];

static void* writer(void* unused) {
  for (int i = 0; i < N; i++) x[i] = 1;
  return NULL;
}

static void* reader(void* argument) { return x[(long)argument] ? argument : NULL; }

int main(void) {
  pthread_t w, r[N];
#ifndef WRITER_LAST
  pthread_create(&w, NULL, writer, NULL);
#endif
  for (long i = 0; i < N; i++) pthread_create(&r[i], NULL, reader, (void*)i);
#ifdef WRITER_LAST
  pthread_create(&w, NULL, writer, NULL);
#endif
  pthread_join(w, NULL);
  for (int i = 0; i < N; i++) pthread_join(r[i], NULL);
  return 0;
}
