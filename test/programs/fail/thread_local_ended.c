// expect: verdict=bug kind=memory-error naive
// expect: case=detached verdict=bug kind=memory-error cflags=-DDETACHED
// A thread-local variable is gone with its thread, though the pointer to it is still there.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static _Thread_local int mine = 5;
static int* other;
static sem_t given;

static void* worker(void* unused) {
  other = &mine;
  sem_post(&given);
  return unused;
} /* ERROR */

int main(void) {
  sem_init(&given, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
#ifdef DETACHED
  pthread_detach(thread);
  sem_wait(&given);
  return *other == 7; /* ERROR */
#else
  pthread_join(thread, NULL);
  return *other == 7; /* ERROR */
#endif
}
