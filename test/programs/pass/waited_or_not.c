// expect: verdict=verified naive
// expect: case=states options=--visible=sync algorithms=sdpor verdict=verified executions(sdpor)=1
// Whether a thread had to wait on a condition variable is a matter of the past once it was woken: one state either way.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* wait_for_it(void* unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t waiter;
  pthread_create(&waiter, 0, wait_for_it, 0);
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(waiter, 0);
  return 0;
}
