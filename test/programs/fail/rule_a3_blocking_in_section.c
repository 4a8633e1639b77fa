// expect: verdict=unsupported
// Waiting inside an atomic section has no meaning that could be explored.
#include <inspect/inspect.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t token;

static void* worker(void* unused) {
  inspect_atomic_begin();
  sem_wait(&token);
  inspect_atomic_end();
  return NULL;
}

int main(void) {
  sem_init(&token, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  sem_post(&token);
  pthread_join(thread, NULL);
  return 0;
}
