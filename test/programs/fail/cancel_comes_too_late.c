// expect: verdict=bug kind=assertion
// expect: case=output verdict=bug kind=assertion cflags=-DCALL=putchar(10)
// A thread may be through before it is cancelled; and where output is written it may be cancelled, but need not be.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#ifndef CALL
#define CALL pthread_testcancel()
#endif

static void* run(void* argument) {
  CALL;
  return argument;
}

int main(void) {
  pthread_t thread;
  void* result;
  pthread_create(&thread, 0, run, 0);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED); /* ERROR */
  return 0;
}
