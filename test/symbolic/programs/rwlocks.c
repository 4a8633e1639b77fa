// expect: verdict=verified
// expect: cflags=-DREADS verdict=bug text="BUG: data-race"
// expect: cflags=-DTWICE verdict=unsupported text="a read-write lock that the thread holds already"
// expect: cflags=-DOTHER verdict=bug text="BUG: api-misuse: an unlock of a read-write lock that the thread does not hold"
// expect: cflags=-DBOTH verdict=bug text="BUG: deadlock"
// expect: cflags=-DTRY verdict=unsupported text="a try of a lock that fails"
// expect: cflags=-DTRY options=--no-races verdict=verified
#include <assert.h>
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER, k = PTHREAD_RWLOCK_INITIALIZER;
int data, seen;
void *run(void *unused) {
#ifdef READS
  pthread_rwlock_rdlock(&l);
#elif defined(TRY)
  if (pthread_rwlock_trywrlock(&l)) return unused;
#elif !defined(OTHER)
#ifdef BOTH
  pthread_rwlock_rdlock(&k);
#endif
  pthread_rwlock_wrlock(&l);
#endif
#ifndef OTHER
  data++;
  data++;
#endif
  pthread_rwlock_unlock(&l);
#ifdef BOTH
  pthread_rwlock_unlock(&k);
#endif
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_rwlock_rdlock(&l);
#ifdef BOTH
  pthread_rwlock_wrlock(&k);
  pthread_rwlock_unlock(&k);
#endif
#ifdef TWICE
  pthread_rwlock_rdlock(&l);
#endif
  assert(data == 0 || data == 2);
  pthread_rwlock_unlock(&l);
  pthread_join(t, 0);
  pthread_rwlock_destroy(&l);
  return 0;
}
