// expect: verdict=verified
// With the loop, whoever comes too late waits again.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void* consumer(void* unused) {
  pthread_mutex_lock(&mutex);
  while (items == 0) pthread_cond_wait(&filled, &mutex);
  assert(items > 0);
  items--;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, consumer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutex);
    items++;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
