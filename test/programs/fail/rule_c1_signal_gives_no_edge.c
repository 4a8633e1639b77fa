// expect: verdict=bug kind=data-race naive
// A signal wakes, but orders nothing: what was written after the mutex was given back is not published by it.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t waiting;
static int data;

static void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
  sem_post(&waiting);
  pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return data ? unused : NULL; /* ERROR */
}

int main(void) {
  sem_init(&waiting, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  sem_wait(&waiting);
  pthread_mutex_lock(&mutex);  // free only once the other waits
  pthread_mutex_unlock(&mutex);
  data = 1; /* ERROR */
  pthread_cond_signal(&changed);
  pthread_join(thread, NULL);
  return 0;
}
