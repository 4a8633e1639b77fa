// expect: case=preferred verdict=bug kind=deadlock naive
// expect: case=not_preferred verdict=verified cflags=-DKIND=PTHREAD_RWLOCK_PREFER_READER_NP
// expect: case=gives_up verdict=verified cflags=-DTIMED
// One reader waits, inside the lock, for what another reader does inside it. A preferred writer that arrives between the two
// keeps the second out: nobody goes on. It does so only before it gets the lock, and each execution ends long behind that.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

#ifndef KIND
#define KIND PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP
#endif

static pthread_rwlock_t table;
static sem_t ready;

static void* looks_twice(void* unused) {
  pthread_rwlock_rdlock(&table);
  sem_wait(&ready);
  pthread_rwlock_unlock(&table);
  return NULL;
}

static void* announces(void* unused) {
  pthread_rwlock_rdlock(&table);
  sem_post(&ready);
  pthread_rwlock_unlock(&table);
  return NULL;
}

static void change(void) {
#ifdef TIMED
  const struct timespec past = {1, 0};
  if (pthread_rwlock_timedwrlock(&table, &past)) return;
#else
  pthread_rwlock_wrlock(&table);
#endif
  pthread_rwlock_unlock(&table);
}

int main(void) {
  pthread_rwlockattr_t kind;
  pthread_rwlockattr_init(&kind);
  pthread_rwlockattr_setkind_np(&kind, KIND);
  pthread_rwlock_init(&table, &kind);
  sem_init(&ready, 0, 0);
  pthread_t first, second;
  pthread_create(&first, NULL, looks_twice, NULL);
  pthread_create(&second, NULL, announces, NULL);
  change();
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
