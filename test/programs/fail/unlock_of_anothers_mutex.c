// expect: verdict=bug kind=assertion naive
// A mutex that checks its owner refuses the unlock of a thread that does not hold it. That unlock may come before the other
// thread's lock, whatever came first in the execution at hand: then the other thread's store is not to be seen yet.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex;
static atomic_int stored;

static void* owner(void* unused) {
  atomic_store(&stored, 1);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* stranger(void* unused) {
  pthread_mutex_unlock(&mutex);
  assert(atomic_load(&stored) == 1);
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
