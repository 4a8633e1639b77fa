// expect: verdict=verified
// Asking again and again whether a thread has ended.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static int data;

static void* worker(void* unused) {
  data = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  while (pthread_tryjoin_np(thread, NULL) == EBUSY) sched_yield();
  assert(data == 1);
  return 0;
}
