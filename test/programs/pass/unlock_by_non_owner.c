// expect: verdict=verified naive executions(optimal)=1
// A semaphore has no owner: any thread may post what another waits for.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t turn;
static int value;

static void* helper(void* unused) {
  value = 1;
  sem_post(&turn);
  return NULL;
}

int main(void) {
  pthread_t thread;
  sem_init(&turn, 0, 0);
  pthread_create(&thread, NULL, helper, NULL);
  sem_wait(&turn);
  value++;
  pthread_join(thread, NULL);
  sem_destroy(&turn);
  return value == 2 ? 0 : 1;
}
