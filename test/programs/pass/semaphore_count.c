// expect: verdict=verified naive executions(optimal)=2
// Initialised with one, it is a lock.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t places;
static int inside;

static void* enter(void* unused) {
  sem_wait(&places);
  assert(++inside == 1);
  inside--;
  sem_post(&places);
  return NULL;
}

int main(void) {
  sem_init(&places, 0, 1);
  pthread_t a, b;
  pthread_create(&a, NULL, enter, NULL);
  pthread_create(&b, NULL, enter, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
