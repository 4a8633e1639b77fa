// PAIRS producers and as many consumers of ITEMS items each, through a buffer of SIZE places under a mutex and two conditions.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE 1
#endif
#ifndef ITEMS
#define ITEMS 1
#endif
#ifndef PAIRS
#define PAIRS 2
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int buffer[SIZE], count, head, tail;

static void* producer(void* unused) {
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&mutex);
    while (count == SIZE) pthread_cond_wait(&not_full, &mutex);
    buffer[tail] = i + 1;
    tail = (tail + 1) % SIZE;
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
    assert(buffer[head] > 0);
    head = (head + 1) % SIZE;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2 * PAIRS];
  for (int i = 0; i < PAIRS; i++) pthread_create(&threads[i], NULL, producer, NULL);
  for (int i = PAIRS; i < 2 * PAIRS; i++) pthread_create(&threads[i], NULL, consumer, NULL);
  for (int i = 0; i < 2 * PAIRS; i++) pthread_join(threads[i], NULL);
  return 0;
}
