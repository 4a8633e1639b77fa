// expect: verdict=bug kind=assertion
// The waiting loop holds the lock at its head and gives it away during each turn. A turn in vain in which another thread had the lock
// has not changed nothing: the bug needs a second one.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t begun, looked;
static int started, ready, taken;

static void* setter(void* unused) {
  pthread_mutex_lock(&mutex);
  const int first = started;
  pthread_mutex_unlock(&mutex);
  sem_post(&begun);
  sem_wait(&looked);
  pthread_mutex_lock(&mutex);
  assert(!(first && taken)); /* ERROR */
  ready = 1;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void* observer(void* unused) {
  sem_wait(&begun);
  if (pthread_mutex_trylock(&mutex))
    taken = 1;
  else
    pthread_mutex_unlock(&mutex);
  sem_post(&looked);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  sem_init(&begun, 0, 0);
  sem_init(&looked, 0, 0);
  pthread_create(&threads[0], NULL, setter, NULL);
  pthread_create(&threads[1], NULL, observer, NULL);
  pthread_mutex_lock(&mutex);
  started = 1;
  while (!ready) {
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
  }
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
