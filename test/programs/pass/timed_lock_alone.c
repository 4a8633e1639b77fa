// expect: verdict=verified naive executions(optimal)=1
// A lock that nobody holds cannot time out.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  const struct timespec deadline = {.tv_sec = 4000000000};
  assert(pthread_mutex_timedlock(&mutex, &deadline) == 0);
  pthread_mutex_unlock(&mutex);
  return 0;
}
