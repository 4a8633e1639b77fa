// expect: verdict=verified
// expect: case=optimised verdict=verified cflags=-O2
// What counts as initialised: static storage, a static initialiser wherever it is copied to, zeroes that the program wrote, and an
// object that was destroyed and made again, or stands where another one stood on the stack.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

struct queue {
  int length;
  pthread_mutex_t mutex;
  pthread_cond_t filled;
  pthread_rwlock_t rwlock;
};

static pthread_mutex_t zeroed, initialised_late = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition;
static pthread_rwlock_t rwlock;

static void use(struct queue* queue) {
  pthread_mutex_lock(&queue->mutex);
  pthread_cond_signal(&queue->filled);
  pthread_mutex_unlock(&queue->mutex);
  pthread_rwlock_rdlock(&queue->rwlock);
  pthread_rwlock_unlock(&queue->rwlock);
}

static void on_the_stack(void) {
  pthread_mutex_t mutex;
  sem_t semaphore;
  pthread_spinlock_t spin;
  pthread_mutex_init(&mutex, NULL);  // never destroyed
  sem_init(&semaphore, 0, 1);
  pthread_spin_init(&spin, 0);
  pthread_mutex_lock(&mutex);
  sem_wait(&semaphore);
  pthread_spin_lock(&spin);
  pthread_spin_unlock(&spin);
  pthread_mutex_unlock(&mutex);
}

static void* worker(void* unused) {
  struct queue local;
  local.mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  local.filled = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
  local.rwlock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
  use(&local);
  struct queue* assigned = malloc(sizeof *assigned);
  *assigned = (struct queue){0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
  use(assigned);
  struct queue* cleared = malloc(sizeof *cleared);
  memset(cleared, 0, sizeof *cleared);
  use(cleared);
  struct queue* zeroes = calloc(1, sizeof *zeroes);
  use(zeroes);
  return NULL;
}

int main(void) {
  pthread_mutex_init(&initialised_late, NULL);  // over a static initialiser that nobody used
  pthread_mutex_destroy(&initialised_late);
  pthread_mutex_init(&initialised_late, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_mutex_lock(&zeroed);
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&zeroed);
  pthread_rwlock_wrlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
  mtx_t c11;
  mtx_init(&c11, mtx_plain);
  mtx_lock(&c11);
  mtx_unlock(&c11);
  mtx_destroy(&c11);
  for (int i = 0; i < 2; ++i) on_the_stack();
  pthread_join(thread, NULL);
  return 0;
}
