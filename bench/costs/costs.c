// RUNS executions, one for each value of a choice; each does COUNT times what one macro says. The difference between two values
// of COUNT is the cost of one.
#include <inspect/inspect.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef RUNS
#define RUNS 2000
#endif
#ifndef COUNT
#define COUNT 0
#endif
static int cells[64];
static atomic_int x;
static sem_t ping, pong;

static void* other(void* unused) {
#ifdef SWITCH
  for (int i = 0; i < COUNT; i++) {
    sem_wait(&ping);
    sem_post(&pong);
  }
#endif
  return NULL;
}

int main(void) {
  pthread_t thread;
  (void)inspect_nondet(RUNS);
  pthread_create(&thread, NULL, other, NULL);
#ifdef HOOK
  for (int i = 0; i < COUNT; i++) ((volatile int*)cells)[i % 64] = i;
#endif
#ifdef STEP
  for (int i = 0; i < COUNT; i++) atomic_store(&x, i);
#endif
#ifdef SWITCH
  for (int i = 0; i < COUNT; i++) {
    sem_post(&ping);
    sem_wait(&pong);
  }
#endif
  pthread_join(thread, NULL);
  return 0;
}
