// expect: verdict=bug kind=assertion
// expect: case=late verdict=bug kind=assertion cflags=-DLATE
// Once one reader is inside, the writer cannot come between: it must be tried before both, which only the analysis of disabled
// operations at every state finds.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t a, b;
static int v;

static void* t0(void* unused) {
  pthread_rwlock_rdlock(&lock);
  sem_post(&a);
  sem_wait(&b);
#ifdef LATE
  assert(v == 1); /* ERROR */
#else
  assert(v == 0); /* ERROR */
#endif
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void* t1(void* unused) {
  pthread_rwlock_rdlock(&lock);
  sem_post(&b);
  sem_wait(&a);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void* t2(void* unused) {
  pthread_rwlock_wrlock(&lock);
  v = 1;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  sem_init(&a, 0, 0);
  sem_init(&b, 0, 0);
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, t0, NULL);
  pthread_create(&threads[1], NULL, t1, NULL);
  pthread_create(&threads[2], NULL, t2, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
