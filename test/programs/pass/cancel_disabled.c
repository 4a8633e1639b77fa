// expect: verdict=verified executions(optimal)=2 naive
// A request waits until the thread lets itself be cancelled, and comes to a cancellation point.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int done;
static sem_t free_now;

static void* run(void* argument) {
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  assert(old == PTHREAD_CANCEL_ENABLE);
  sem_wait(&free_now);
  done = 1;
  pthread_setcancelstate(old, 0);
  done = 2;
  pthread_testcancel();
  done = 3;
  return argument;
}

int main(void) {
  pthread_t thread;
  void* result;
  sem_init(&free_now, 0, 1);
  pthread_create(&thread, 0, run, 0);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(done == (result == PTHREAD_CANCELED ? 2 : 3));
  return 0;
}
