// expect: verdict=verified executions(optimal)=120
// expect: case=symmetric options=--symmetry algorithms=dpor,sdpor verdict=verified executions(dpor)=1 executions(sdpor)=1
// expect: case=ten options=--symmetry cflags=-DWORKERS=10 algorithms=dpor,sdpor verdict=verified executions(dpor)=1 executions(sdpor)=1
// Five workers that do the same under one lock: 5! orders, one of them but for names.
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 5
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* work(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  count++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t workers[WORKERS];
  for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i], 0, work, 0);
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], 0);
  return 0;
}
