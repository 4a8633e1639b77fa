// expect: verdict=verified naive
// Threads that wait or spin when main returns are neither a deadlock nor a livelock.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t never;
static atomic_int flag;

static void* waits(void* unused) {
  sem_wait(&never);
  return NULL;
}

static void* spins(void* unused) {
  while (!flag) {
  }
  return NULL;
}

int main(void) {
  sem_init(&never, 0, 0);
  pthread_t a, b;
  pthread_create(&a, NULL, waits, NULL);
  pthread_create(&b, NULL, spins, NULL);
  return 0;
}
