// expect: verdict=bug kind=assertion naive
// A wait that will time out has given back its mutex long before: others have it early.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static struct timespec deadline;
static int waiting, early;

static void* other(void* unused) {
  struct timespec now;
  pthread_mutex_lock(&m);
  clock_gettime(CLOCK_REALTIME, &now);
  early = waiting && now.tv_sec < deadline.tv_sec;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t thread;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 10;
  pthread_create(&thread, NULL, other, NULL);
  pthread_mutex_lock(&m);
  waiting = 1;
  if (pthread_cond_timedwait(&c, &m, &deadline) == ETIMEDOUT) assert(!early); /* ERROR */
  pthread_mutex_unlock(&m);
  pthread_join(thread, NULL);
}
