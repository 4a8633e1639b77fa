// expect: verdict=verified naive
// The thread waits until its variable is no longer looked at.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static _Thread_local int mine = 5;
static int* other;
static sem_t given, seen;

static void* worker(void* unused) {
  other = &mine;
  sem_post(&given);
  sem_wait(&seen);
  return unused;
}

int main(void) {
  sem_init(&given, 0, 0);
  sem_init(&seen, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  sem_wait(&given);
  const int value = *other;
  sem_post(&seen);
  pthread_join(thread, NULL);
  return value == 5 ? 0 : 1;
}
