// expect: verdict=bug kind=deadlock|api-misuse
// Two threads wait for each other to end.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_t threads[2];
static sem_t known;

static void* worker(void* argument) {
  sem_wait(&known);
  pthread_join(threads[1 - (long)argument], NULL); /* ERROR */
  return NULL;
}

int main(void) {
  sem_init(&known, 0, 0);
  pthread_create(&threads[0], NULL, worker, (void*)0);
  pthread_create(&threads[1], NULL, worker, (void*)1);
  sem_post(&known);
  sem_post(&known);
  pthread_exit(NULL); /* ERROR */
}
