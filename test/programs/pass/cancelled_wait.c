// expect: verdict=verified executions(source)=2 naive
// A thread that waits on a condition variable and is cancelled has the mutex again when its cleanup handlers run. It looks for the
// request before it is made, or after it.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int waiting;

static void leave(void* argument) {
  waiting = 0;
  pthread_mutex_unlock(&mutex);
}

static void* wait_for_ever(void* argument) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(leave, 0);
  waiting = 1;
  while (waiting) pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(1);
  return argument;
}

int main(void) {
  pthread_t thread;
  void* result;
  pthread_create(&thread, 0, wait_for_ever, 0);
  assert(pthread_cancel(thread) == 0);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
  pthread_mutex_lock(&mutex);
  assert(!waiting);
  pthread_mutex_unlock(&mutex);
  return 0;
}
