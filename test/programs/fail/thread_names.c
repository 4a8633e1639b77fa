// expect: verdict=bug kind=assertion
// Two threads give one thread a name: which stays is a matter of order.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>

static void* worker(void* unused) {
  prctl(PR_SET_NAME, "worker");
  return NULL;
}

int main(void) {
  pthread_t thread;
  char found[16];
  pthread_create(&thread, NULL, worker, NULL);
  pthread_setname_np(thread, "named");
  pthread_getname_np(thread, found, sizeof found);
  assert(!strcmp(found, "named")); /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
