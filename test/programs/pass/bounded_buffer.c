// expect: verdict=verified executions(optimal)=64
// expect: case=two verdict=verified cflags=-DSIZE=2 executions(optimal)=60
// expect: case=permuted verdict=verified algorithms=optimal cflags='-DSIZE=2 -DCONSUMERS_FIRST' executions(optimal)=60
// expect: case=items verdict=verified algorithms=optimal cflags='-DSIZE=2 -DITEMS=2' executions(optimal)=33192
// expect: case=items_permuted verdict=verified algorithms=optimal cflags='-DSIZE=2 -DITEMS=2 -DCONSUMERS_FIRST' executions(optimal)=33192
// expect: case=items_small verdict=verified algorithms=optimal cflags=-DITEMS=2 executions(optimal)=86336
// Two producers and two consumers, a condition variable for each side. The number of classes – order of lock acquisitions and
// the waiter each signal chooses – was found by plain enumeration.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE 1
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
#ifndef ITEMS
#define ITEMS 1
#endif
static int buffer[SIZE], count, in, out;

static void* producer(void* unused) {
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&mutex);
    while (count == SIZE) pthread_cond_wait(&not_full, &mutex);
    buffer[in] = 1;
    in = (in + 1) % SIZE;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

static void* consumer(void* unused) {
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&mutex);
    while (count == 0) pthread_cond_wait(&not_empty, &mutex);
    assert(buffer[out] == 1);
    out = (out + 1) % SIZE;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[4];
#ifdef CONSUMERS_FIRST
  void* (*const routines[4])(void*) = {consumer, consumer, producer, producer};
#else
  void* (*const routines[4])(void*) = {producer, producer, consumer, consumer};
#endif
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, routines[i], NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  return 0;
}
