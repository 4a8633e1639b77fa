// expect: verdict=bug kind=livelock|deadlock
// Nobody makes the condition true: waking up by time-outs for ever is no progress.
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* reader(void* unused) {
  pthread_mutex_lock(&mutex);
  const int seen = ready;
  pthread_mutex_unlock(&mutex);
  return seen ? unused : NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  const struct timespec deadline = {.tv_sec = 4000000000};
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_timedwait(&changed, &mutex, &deadline); /* ERROR */
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
