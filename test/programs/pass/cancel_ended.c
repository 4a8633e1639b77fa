// expect: verdict=verified naive
// A thread that has ended, and was not joined, may be cancelled: that is nothing. So may one that is ending.
#include <assert.h>
#include <pthread.h>

static void* run(void* argument) { pthread_exit(argument); }

int main(void) {
  pthread_t thread;
  void* result;
  pthread_create(&thread, 0, run, &thread);
  assert(pthread_cancel(thread) == 0);
  pthread_join(thread, &result);
  assert(result == &thread);
  return 0;
}
