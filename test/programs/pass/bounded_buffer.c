// expect: verdict=verified executions(optimal)=64
// expect: case=two verdict=verified cflags=-DSIZE=2 executions(optimal)=60
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
static int buffer[SIZE], count, in, out;

static void* producer(void* unused) {
  pthread_mutex_lock(&mutex);
  while (count == SIZE) pthread_cond_wait(&not_full, &mutex);
  buffer[in] = 1;
  in = (in + 1) % SIZE;
  count++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void* consumer(void* unused) {
  pthread_mutex_lock(&mutex);
  while (count == 0) pthread_cond_wait(&not_empty, &mutex);
  assert(buffer[out] == 1);
  out = (out + 1) % SIZE;
  count--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  pthread_create(&threads[0], NULL, producer, NULL);
  pthread_create(&threads[1], NULL, producer, NULL);
  pthread_create(&threads[2], NULL, consumer, NULL);
  pthread_create(&threads[3], NULL, consumer, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  return 0;
}
