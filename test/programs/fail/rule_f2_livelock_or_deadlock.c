// expect: verdict=bug kind=livelock
// expect: case=blocked verdict=bug kind=deadlock cflags=-DBLOCKED
// With a spinning thread among the stuck ones it is a livelock, else a deadlock.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static sem_t never;

static void* first(void* unused) {
#ifndef BLOCKED
  while (!flag) { /* ERROR */
  }
#else
  sem_wait(&never); /* ERROR */
#endif
  return NULL;
}

static void* second(void* unused) {
  sem_wait(&never); /* ERROR */
  return NULL;
}

int main(void) {
  sem_init(&never, 0, 0);
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL); /* ERROR */
  pthread_join(b, NULL);
  return 0;
}
