// expect: verdict=bug kind=assertion naive
// A signal wakes any of those that wait, not the first of them.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static int waiting, both_waited, first_woken;

static void *wait_for_work(void *number) {
  pthread_mutex_lock(&mutex);
  waiting++;
  pthread_cond_wait(&work, &mutex);
  if (!first_woken) first_woken = *(int *)number;
  assert(!both_waited || first_woken == 1); /* ERROR */
  pthread_cond_signal(&work);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  static int numbers[] = {1, 2};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, wait_for_work, &numbers[i]);
  pthread_mutex_lock(&mutex);
  both_waited = waiting == 2;
  if (both_waited) pthread_cond_signal(&work);
  pthread_mutex_unlock(&mutex);
  return 0;
}
