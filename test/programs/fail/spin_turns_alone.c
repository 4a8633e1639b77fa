// expect: verdict=inconclusive algorithms=source,optimal cflags=-O1 reason="read-modify-write at spin_turns_alone.c"
// expect: case=semaphore verdict=inconclusive algorithms=source,optimal cflags='-O1 -DSEMAPHORE'
// A thread turns for ever while nobody else can run: the execution ends all the same.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int done, marks;
static sem_t semaphore;

static void* waiter(void* unused) {
  while (!atomic_load(&done)) {
    atomic_fetch_add(&marks, 1);
#ifdef SEMAPHORE
    sem_post(&semaphore);
    sem_trywait(&semaphore);
#endif
    atomic_fetch_sub(&marks, 1);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&semaphore, 0, 0);
  pthread_create(&thread, NULL, waiter, NULL);
#ifndef SEMAPHORE
  while (!atomic_load(&marks)) {
  }
  atomic_store(&done, 1);
#endif
  pthread_join(thread, NULL);
  return 0;
}
