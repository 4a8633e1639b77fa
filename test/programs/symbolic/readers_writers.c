// expect: verdict=verified
// expect: case=last cflags=-DLAST verdict=bug kind=data-race|assertion
// Readers and a writer, by a count of readers. Broken: each reader that leaves lets the writer in.
#include <semaphore.h>
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
int readers, shared;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
sem_t room;
void *reader(void *unused) {
  pthread_mutex_lock(&m);
  if (++readers == 1) sem_wait(&room);
  pthread_mutex_unlock(&m);
  int first = shared;
  assert(first == shared);
  pthread_mutex_lock(&m);
  readers--;
#ifndef LAST
  if (readers == 0)
#endif
    sem_post(&room);
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t[2];
  int value = __VERIFIER_nondet_int();
  sem_init(&room, 0, 1);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, reader, 0);
  sem_wait(&room);
  shared = value;
  assert(shared == value);
  sem_post(&room);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
