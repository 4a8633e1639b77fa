// expect: verdict=verified naive executions(optimal)=2
// sem_timedwait and sem_clockwait: a token, or ETIMEDOUT while there is none.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t tokens;

static void* producer(void* unused) {
  sem_post(&tokens);
  return NULL;
}

int main(void) {
  sem_init(&tokens, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, producer, NULL);
  const struct timespec deadline = {.tv_sec = 4000000000};
  const int taken = sem_timedwait(&tokens, &deadline) == 0;
  assert(taken || errno == ETIMEDOUT);
  pthread_join(thread, NULL);
  if (!taken) assert(sem_clockwait(&tokens, CLOCK_MONOTONIC, &deadline) == 0);
  return 0;
}
