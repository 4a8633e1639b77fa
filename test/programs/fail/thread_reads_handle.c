// expect: verdict=bug kind=data-race naive
// A thread reads the variable that pthread_create stores its id to: it may start before that. pass/thread_reads_handle.c waits.
#include <pthread.h>
#include <stddef.h>

static pthread_t thread;

static void* worker(void* argument) {
  return pthread_equal(thread, pthread_self()) ? argument : NULL; /* ERROR */
}

int main(void) {
  pthread_create(&thread, NULL, worker, NULL); /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
