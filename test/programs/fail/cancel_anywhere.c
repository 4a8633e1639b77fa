// expect: verdict=bug kind=assertion
// With asynchronous cancellation a thread may end between any two of its writes.
#include <assert.h>
#include <pthread.h>

static int first, second;

static void* run(void* argument) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  first = 1;
  second = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  assert(first == second); /* ERROR */
  return 0;
}
