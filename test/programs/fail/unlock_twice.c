// expect: verdict=bug kind=api-misuse naive
// An error path unlocks once more than it locked.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int state;

static void* worker(void* argument) {
  pthread_mutex_lock(&mutex);
  const int failed = state++ == 1;
  pthread_mutex_unlock(&mutex);
  if (failed) {
    pthread_mutex_unlock(&mutex); /* ERROR */
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
