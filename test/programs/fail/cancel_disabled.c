// expect: verdict=bug kind=deadlock
// expect: case=mutex verdict=bug kind=deadlock cflags=-DLOCKS
// A thread that does not let itself be cancelled, or waits where it is no cancellation point, waits on.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t never;

static void* run(void* argument) {
#ifdef LOCKS
  pthread_mutex_lock(&mutex);
#else
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
  sem_wait(&never);
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
  sem_init(&never, 0, 0);
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, run, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0); /* ERROR */
  pthread_mutex_unlock(&mutex);
  return 0;
}
