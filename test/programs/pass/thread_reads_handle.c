// expect: verdict=verified
// Threads read ids that pthread_create stored: under a lock that the creator held meanwhile, and where C promises that the id
// is there before the thread runs.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t first;
static thrd_t second;

static void* wait_for_id(void* argument) {
  pthread_mutex_lock(&mutex);
  assert(pthread_equal(first, pthread_self()));
  pthread_mutex_unlock(&mutex);
  return argument;
}

static int read_id(void* argument) {
  assert(thrd_equal(second, thrd_current()));
  return argument != NULL;
}

int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_create(&first, NULL, wait_for_id, NULL);
  pthread_mutex_unlock(&mutex);
  thrd_create(&second, read_id, NULL);
  pthread_join(first, NULL);
  thrd_join(second, NULL);
  return 0;
}
