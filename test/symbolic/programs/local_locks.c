// expect: verdict=verified
// expect: cflags=-DNONE verdict=bug text="a mutex that is not initialised at local_locks.c:14"
// expect: cflags=-DAGAIN verdict=unsupported text="zeros over a mutex or the like that is in use"
// Variables of synchronisation on the stack: their static initialisers are zeros.
#include <assert.h>
#include <pthread.h>
#include <string.h>
struct account {
  int money;
  pthread_mutex_t lock;
};
static void *pay(void *of) {
  struct account *a = of;
  pthread_mutex_lock(&a->lock);
  a->money++;
  pthread_mutex_unlock(&a->lock);
  return 0;
}
int main(void) {
#ifdef NONE
  struct account a;
  a.money = 1;
#else
  struct account a = {1, PTHREAD_MUTEX_INITIALIZER};
#endif
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
  pthread_mutex_lock(&lock);
#ifdef AGAIN
  memset(&lock, 0, sizeof lock);
#endif
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_rwlock_rdlock(&readers);
  pthread_rwlock_unlock(&readers);
  pthread_t t;
  pthread_create(&t, 0, pay, &a);
  pay(&a);
  pthread_join(t, 0);
  assert(a.money == 3);
  return 0;
}
