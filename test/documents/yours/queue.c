#include "queue.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int values[kRoom], count;

void put(int value) {
  pthread_mutex_lock(&lock);
  while (count == kRoom) pthread_cond_wait(&changed, &lock);
  values[count++] = value;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

int get(void) {
  pthread_mutex_lock(&lock);
  while (!count) pthread_cond_wait(&changed, &lock);
  int value = values[0];
  for (int i = 1; i < count; i++) values[i - 1] = values[i];
  count--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return value;
}
