// expect: verdict=bug kind=livelock
// Nobody sets what the loop looks for under the lock.
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done, other;

static void* setter(void* unused) {
  pthread_mutex_lock(&mutex);
  other = 1;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, setter, NULL);
  for (int seen = 0; !seen;) { /* ERROR */
    pthread_mutex_lock(&mutex);
    seen = done;
    pthread_mutex_unlock(&mutex);
    usleep(10);
  }
  pthread_join(thread, NULL);
  return 0;
}
