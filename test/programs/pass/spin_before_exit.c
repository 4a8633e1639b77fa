// expect: verdict=verified naive
// A loop that waits is left, and the process ends, while main waits for what does not come: no livelock.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int x;
static sem_t never;

static void* waits(void* unused) {
  while (!atomic_load(&x)) {
  }
  exit(0);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&never, 0, 0);
  pthread_create(&thread, NULL, waits, NULL);
  x = 1;
  sem_wait(&never);
}
