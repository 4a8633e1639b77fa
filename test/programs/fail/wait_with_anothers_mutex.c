// expect: verdict=bug kind=assertion naive
// A wait with a mutex that another thread holds is refused, if the mutex checks its owner. It may come before that thread's lock.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int stored;

static void* owner(void* unused) {
  atomic_store(&stored, 1);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* stranger(void* unused) {
  if (pthread_cond_wait(&condition, &mutex) == EPERM) assert(atomic_load(&stored) == 1);
  return unused;
}

int main(void) {
  pthread_mutexattr_t checking;
  pthread_mutexattr_init(&checking);
  pthread_mutexattr_settype(&checking, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &checking);
  pthread_mutexattr_destroy(&checking);
  pthread_t a, b;
  pthread_create(&a, NULL, owner, NULL);
  pthread_create(&b, NULL, stranger, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
