// expect: verdict=verified naive executions(optimal)=1
// A thread names itself, by prctl too; the ids of living threads may be used, and all may be compared.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>

static void* worker(void* name) {
  char found[16];
  prctl(PR_SET_NAME, name);
  prctl(PR_GET_NAME, found);
  assert(!strcmp(found, name));
  pthread_getname_np(pthread_self(), found, sizeof found);
  assert(!strcmp(found, name));
  return NULL;
}

int main(void) {
  pthread_t first, second;
  struct sched_param parameters;
  int policy;
  pthread_create(&first, NULL, worker, "first");
  pthread_create(&second, NULL, worker, "second");
  assert(!pthread_getschedparam(first, &policy, &parameters));
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(!pthread_equal(first, second));
  return 0;
}
