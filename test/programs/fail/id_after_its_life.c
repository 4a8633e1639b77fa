// expect: case=kill verdict=bug kind=api-misuse cflags=-DUSE=0
// expect: case=name verdict=bug kind=api-misuse cflags=-DUSE=1
// expect: case=detach verdict=bug kind=api-misuse cflags=-DUSE=2
// expect: case=parameters verdict=bug kind=api-misuse cflags=-DUSE=3
// expect: case=detached verdict=bug kind=api-misuse cflags=-DUSE=4
// expect: case=twice verdict=bug kind=api-misuse cflags=-DUSE=5
// expect: case=self verdict=bug kind=api-misuse cflags=-DUSE=6
// The id of a thread that was joined, or has ended detached, may be that of a new thread.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>

static void* worker(void* unused) {
  if (USE == 6) pthread_detach(pthread_self());
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct sched_param parameters;
  int policy;
  pthread_create(&thread, NULL, worker, NULL);
  if (USE < 4) pthread_join(thread, NULL);
  switch (USE) {
    case 0:
      pthread_kill(thread, 0); /* ERROR */
      break;
    case 1:
      pthread_setname_np(thread, "gone"); /* ERROR */
      break;
    case 2:
      pthread_detach(thread); /* ERROR */
      break;
    case 3:
      pthread_getschedparam(thread, &policy, &parameters); /* ERROR */
      break;
    case 4:
      pthread_detach(thread);
      pthread_setname_np(thread, "late"); /* ERROR */
      break;
    case 5:
      pthread_detach(thread);
      pthread_detach(thread); /* ERROR */
      break;
    case 6:
      pthread_setname_np(thread, "late"); /* ERROR */
      pthread_exit(NULL);
  }
  return 0;
}
