// expect: verdict=verified naive
// A detached thread is waited for by other means than join.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t done;
static int result;

static void* worker(void* unused) {
  result = 42;
  sem_post(&done);
  return NULL;
}

int main(void) {
  sem_init(&done, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_detach(thread);
  sem_wait(&done);
  return result == 42 ? 0 : 1;
}
