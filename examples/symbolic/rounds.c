// How often the worker counts is an input.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned count, rounds;

static void* work(void* unused) {
  for (unsigned i = 0; i < rounds; i++) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  rounds = __VERIFIER_nondet_uint();
#ifdef MOST
  __VERIFIER_assume(rounds <= MOST);
#endif
  pthread_t worker;
  pthread_create(&worker, 0, work, 0);
  pthread_mutex_lock(&lock);
  assert(count <= rounds);
  pthread_mutex_unlock(&lock);
  pthread_join(worker, 0);
  assert(count == rounds);
  return 0;
}
