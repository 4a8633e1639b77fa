// expect: verdict=verified naive executions(optimal)=1
// A semaphore remembers.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t go;

static void* signaller(void* unused) {
  sem_post(&go);
  return NULL;
}

int main(void) {
  pthread_t thread;
  sem_init(&go, 0, 0);
  pthread_create(&thread, NULL, signaller, NULL);
  sem_wait(&go);
  pthread_join(thread, NULL);
  return 0;
}
