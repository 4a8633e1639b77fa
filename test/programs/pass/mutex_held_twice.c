// expect: verdict=verified naive
// What the owner of a mutex does with it once more is neither changed nor noticed by the others: one level more and one less, a
// refusal, a wait that gives back one level of two and so wakes up holding it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int inside;

static void* owner(void* unused) {
  pthread_mutex_lock(&mutex);
  assert(pthread_mutex_trylock(&mutex) == 0);
  inside = 1;
  pthread_mutex_unlock(&mutex);
  inside = 0;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  struct timespec past = {0};
  assert(pthread_cond_timedwait(&condition, &mutex, &past) == ETIMEDOUT);
  assert(inside == 0);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &recursive);
  pthread_mutexattr_destroy(&recursive);
  pthread_t a, b;
  pthread_create(&a, NULL, owner, NULL);
  pthread_create(&b, NULL, waiter, NULL);
  if (pthread_mutex_trylock(&mutex) == 0) {
    assert(inside == 0);
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
