// expect: verdict=bug kind=data-race
// The semaphore lets two in where there is place for one.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t places;
static int inside;

static void* enter(void* unused) {
  sem_wait(&places);
  inside++; /* ERROR */
  inside--; /* ERROR */
  sem_post(&places);
  return NULL;
}

int main(void) {
  sem_init(&places, 0, 2);
  pthread_t a, b;
  pthread_create(&a, NULL, enter, NULL);
  pthread_create(&b, NULL, enter, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
