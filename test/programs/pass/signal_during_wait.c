// expect: verdict=verified
// A handler runs while its thread waits on a condition variable, and the wait goes on.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;
static sem_t handled;

static void handle(int number) { sem_post(&handled); }

static void* run(void* argument) {
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  sem_init(&handled, 0, 0);
  signal(SIGUSR1, handle);
  pthread_create(&thread, 0, run, 0);
  pthread_kill(thread, SIGUSR1);
  sem_wait(&handled);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
