// expect: verdict=bug kind=deadlock
// One condition variable for two purposes, and signal instead of broadcast: the wake goes to the wrong side.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int count;

static void* producer(void* unused) {
  pthread_mutex_lock(&mutex);
  while (count == 1) pthread_cond_wait(&changed, &mutex); /* ERROR */
  count++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void* consumer(void* unused) {
  pthread_mutex_lock(&mutex);
  while (count == 0) pthread_cond_wait(&changed, &mutex); /* ERROR */
  count--;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  pthread_create(&threads[0], NULL, consumer, NULL);
  pthread_create(&threads[1], NULL, consumer, NULL);
  pthread_create(&threads[2], NULL, producer, NULL);
  pthread_create(&threads[3], NULL, producer, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL); /* ERROR */
  return 0;
}
