// expect: verdict=bug kind=api-misuse
// The mutex is destroyed while a detached thread may still hold it.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static sem_t done;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex); /* ERROR */
  sem_post(&done);
  pthread_mutex_unlock(&mutex); /* ERROR */
  return NULL;
}

int main(void) {
  pthread_mutex_init(&mutex, NULL);
  sem_init(&done, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_detach(thread);
  sem_wait(&done);
  pthread_mutex_destroy(&mutex); /* ERROR */
  return 0;
}
