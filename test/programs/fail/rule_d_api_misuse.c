// expect: case=rwlock verdict=bug kind=api-misuse cflags=-DRWLOCK
// expect: case=barrier verdict=bug kind=api-misuse cflags=-DBARRIER
// expect: case=wait verdict=bug kind=api-misuse cflags=-DWAIT
// expect: case=condition verdict=bug kind=api-misuse cflags=-DCONDITION
// expect: case=spin verdict=bug kind=api-misuse cflags=-DSPIN
// What POSIX leaves undefined is reported, whatever the C library would make of it.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;

static void* waiter(void* unused) {
#ifdef CONDITION
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex); /* ERROR */
  pthread_mutex_unlock(&mutex);
#endif
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
#ifdef RWLOCK
  pthread_rwlock_unlock(&rwlock); /* ERROR */
#endif
#ifdef BARRIER
  pthread_barrier_init(&barrier, NULL, 1);
  pthread_barrier_destroy(&barrier);
  pthread_barrier_wait(&barrier); /* ERROR */
#endif
#ifdef WAIT
  pthread_cond_wait(&condition, &mutex); /* ERROR */
#endif
#ifdef CONDITION
  pthread_cond_destroy(&condition); /* ERROR */
#endif
#ifdef SPIN
  pthread_spin_unlock(&spin); /* ERROR */
#endif
  pthread_exit(NULL);
}
