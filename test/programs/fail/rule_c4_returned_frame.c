// expect: verdict=bug kind=memory-error naive
// A frame that has returned is freed memory, even if another call has taken its place since.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static int* shared;
static sem_t given;

static void* reader(void* unused) {
  sem_wait(&given);
  return *shared == 5 ? NULL : unused; /* ERROR */
}

static void lend(void) {
  int local = 5;
  shared = &local;
  sem_post(&given);
} /* ERROR */

int main(void) {
  sem_init(&given, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  lend(); /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
