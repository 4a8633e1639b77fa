// expect: verdict=bug kind=deadlock
// Nobody unlocks the mutex that the cancelled thread has locked again.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void* wait_for_ever(void* argument) {
  pthread_mutex_lock(&mutex);
  for (;;) pthread_cond_wait(&never, &mutex);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, wait_for_ever, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  pthread_mutex_lock(&mutex); /* ERROR */
  return 0;
}
