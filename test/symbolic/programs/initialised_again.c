// expect: verdict=verified
// expect: cflags=-DMUTEX verdict=bug text="a mutex is initialised again, and was not destroyed"
// expect: cflags=-DUSED verdict=bug text="a mutex is initialised again, and was not destroyed"
// expect: cflags=-DCONDITION verdict=bug text="a condition variable is initialised again, and was not destroyed"
// expect: cflags=-DSEMAPHORE verdict=bug text="a semaphore is initialised again, and was not destroyed"
// expect: cflags=-DRWLOCK verdict=bug text="a read-write lock is initialised again, and was not destroyed"
// A variable with a static initialiser may be initialised as long as it was not used.
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c;
pthread_rwlock_t l;
sem_t s;
int data;
void *run(void *unused) {
  pthread_mutex_lock(&m);
  data++;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_rwlock_wrlock(&l);
  pthread_rwlock_unlock(&l);
  sem_post(&s);
  return unused;
}
int main(void) {
  pthread_t t;
#ifdef USED
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#endif
  pthread_mutex_init(&m, 0);
  pthread_cond_init(&c, 0);
  pthread_rwlock_init(&l, 0);
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&m);
  while (!data) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  sem_wait(&s);
  pthread_join(t, 0);
#if defined(MUTEX)
  pthread_mutex_init(&m, 0);
#elif defined(CONDITION)
  pthread_cond_init(&c, 0);
#elif defined(SEMAPHORE)
  sem_init(&s, 0, 1);
#elif defined(RWLOCK)
  pthread_rwlock_init(&l, 0);
#else
  pthread_mutex_destroy(&m);
  pthread_mutex_init(&m, 0);
  sem_destroy(&s);
  sem_init(&s, 0, 1);
#endif
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
