// expect: case=mutex verdict=bug kind=api-misuse cflags=-DUSE=0
// expect: case=mutex_optimised verdict=bug kind=api-misuse cflags='-DUSE=0 -O2'
// expect: case=condition verdict=bug kind=api-misuse cflags=-DUSE=1
// expect: case=rwlock verdict=bug kind=api-misuse cflags=-DUSE=2
// expect: case=spin verdict=bug kind=api-misuse cflags=-DUSE=3
// expect: case=semaphore verdict=bug kind=api-misuse cflags=-DUSE=4
// expect: case=barrier verdict=bug kind=api-misuse cflags=-DUSE=5
// expect: case=c11 verdict=bug kind=api-misuse cflags=-DUSE=6
// expect: case=heap verdict=bug kind=api-misuse cflags=-DUSE=7
// expect: case=heap_condition verdict=bug kind=api-misuse cflags=-DUSE=8
// expect: case=static_semaphore verdict=bug kind=api-misuse cflags=-DUSE=9
// expect: case=static_spin verdict=bug kind=api-misuse cflags=-DUSE=10
// expect: case=copy verdict=bug kind=api-misuse cflags=-DUSE=11
// expect: case=garbage verdict=bug kind=api-misuse cflags=-DUSE=12
// expect: case=array verdict=bug kind=api-misuse cflags=-DUSE=13
// expect: case=static_c11 verdict=bug kind=api-misuse cflags=-DUSE=14
// Synchronisation objects that nobody initialised, though most work by luck, for their memory is zero.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

struct queue {
  int length;
  pthread_mutex_t mutex;
  pthread_cond_t filled;
};

static sem_t static_semaphore;
static pthread_spinlock_t static_spin;
static mtx_t static_c11;

static void use(int which) {
  pthread_mutex_t mutex, copy = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition;
  pthread_rwlock_t rwlock;
  pthread_spinlock_t spin;
  sem_t semaphore;
  pthread_barrier_t barrier;
  mtx_t c11;
  struct queue queues[2];
  struct queue* queue;
  switch (which) {
    case 0:
      pthread_mutex_lock(&mutex); /* ERROR */
      break;
    case 1:
      pthread_cond_signal(&condition); /* ERROR */
      break;
    case 2:
      pthread_rwlock_rdlock(&rwlock); /* ERROR */
      break;
    case 3:
      pthread_spin_lock(&spin); /* ERROR */
      break;
    case 4:
      sem_post(&semaphore); /* ERROR */
      break;
    case 5:
      pthread_barrier_wait(&barrier); /* ERROR */
      break;
    case 6:
      mtx_lock(&c11); /* ERROR */
      break;
    case 7:
      queue = malloc(sizeof *queue);
      queue->length = 0;
      pthread_mutex_lock(&queue->mutex); /* ERROR */
      break;
    case 8:
      queue = malloc(sizeof *queue);
      pthread_mutex_init(&queue->mutex, NULL);
      pthread_cond_broadcast(&queue->filled); /* ERROR */
      break;
    case 9:
      sem_post(&static_semaphore); /* ERROR */
      break;
    case 10:
      pthread_spin_lock(&static_spin); /* ERROR */
      break;
    case 11:
      pthread_mutex_init(&mutex, NULL);
      memcpy(&copy, &mutex, sizeof copy);
      pthread_mutex_lock(&copy); /* ERROR */
      break;
    case 12:
      memset(&mutex, 1, sizeof mutex);
      pthread_mutex_lock(&mutex); /* ERROR */
      break;
    case 13:
      pthread_mutex_lock(&queues[1].mutex); /* ERROR */
      break;
    case 14:
      mtx_lock(&static_c11); /* ERROR */
      break;
  }
}

static void* worker(void* unused) {
  use(USE);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return 0;
}
