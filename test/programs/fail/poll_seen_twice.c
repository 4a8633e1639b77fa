// expect: verdict=bug kind=assertion
// Turns of a waiting loop in vain need not be taken, unless somebody saw that they held the lock: the bug needs two such turns.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void* setter(void* unused) {
  int failures = 0;
  for (int i = 0; i < 2; i++) {
    if (pthread_mutex_trylock(&mutex)) {
      failures++;
      pthread_mutex_lock(&mutex);  // until that turn is over
    }
    pthread_mutex_unlock(&mutex);
  }
  assert(failures < 2); /* ERROR */
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, setter, NULL);
  for (;;) {
    pthread_mutex_lock(&mutex);
    const int seen = done;
    pthread_mutex_unlock(&mutex);
    if (seen) break;
    sched_yield();
  }
  pthread_join(thread, NULL);
  return 0;
}
