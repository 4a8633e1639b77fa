// expect: case=mutex verdict=bug kind=api-misuse cflags=-DUSE=0
// expect: case=condition verdict=bug kind=api-misuse cflags=-DUSE=1
// expect: case=rwlock verdict=bug kind=api-misuse cflags=-DUSE=2
// expect: case=spin verdict=bug kind=api-misuse cflags=-DUSE=3
// expect: case=semaphore verdict=bug kind=api-misuse cflags=-DUSE=4
// expect: case=barrier verdict=bug kind=api-misuse cflags=-DUSE=5
// expect: case=c11 verdict=bug kind=api-misuse cflags=-DUSE=6
// expect: case=used verdict=bug kind=api-misuse cflags=-DUSE=7
// Each thread initialises the object that both use; a lock keeps the two apart.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <threads.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mutex;
static pthread_cond_t condition;
static pthread_rwlock_t rwlock;
static pthread_spinlock_t spin;
static sem_t semaphore;
static pthread_barrier_t barrier;
static mtx_t c11;
static pthread_mutex_t used = PTHREAD_MUTEX_INITIALIZER;

static void initialise(int which) {
  switch (which) {
    case 0:
      pthread_mutex_init(&mutex, NULL); /* ERROR */
      break;
    case 1:
      pthread_cond_init(&condition, NULL); /* ERROR */
      break;
    case 2:
      pthread_rwlock_init(&rwlock, NULL); /* ERROR */
      break;
    case 3:
      pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE); /* ERROR */
      break;
    case 4:
      sem_init(&semaphore, 0, 1); /* ERROR */
      break;
    case 5:
      pthread_barrier_init(&barrier, NULL, 2); /* ERROR */
      break;
    case 6:
      mtx_init(&c11, mtx_plain); /* ERROR */
      break;
    case 7:
      pthread_mutex_lock(&used);
      pthread_mutex_unlock(&used);
      pthread_mutex_init(&used, NULL); /* ERROR */
      break;
  }
}

static void* worker(void* unused) {
  pthread_mutex_lock(&guard);
  initialise(USE);
  pthread_mutex_unlock(&guard);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker(NULL);
  pthread_join(thread, NULL);
  return 0;
}
