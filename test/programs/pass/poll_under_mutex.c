// expect: verdict=verified
// A loop that looks under a lock until the other thread is done.
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void* setter(void* unused) {
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
