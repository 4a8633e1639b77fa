// expect: verdict=verified executions(dpor)=6
// Every way out unlocks.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int jobs = 1;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  if (jobs > 0) jobs--;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
