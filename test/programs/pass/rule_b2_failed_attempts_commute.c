// expect: verdict=verified naive executions(optimal)=1
// Failed trylocks, failed compare-exchanges, read locks and posts of different threads are independent.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static sem_t count;
static atomic_int value = 5;

static void* worker(void* unused) {
  assert(pthread_mutex_trylock(&held) != 0);
  int expected = 4;
  assert(!atomic_compare_exchange_strong(&value, &expected, 6));
  pthread_rwlock_rdlock(&shared);
  pthread_rwlock_unlock(&shared);
  sem_post(&count);
  return NULL;
}

int main(void) {
  sem_init(&count, 0, 0);
  pthread_mutex_lock(&held);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_mutex_unlock(&held);
  return 0;
}
