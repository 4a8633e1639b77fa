// expect: verdict=verified
// Two threads wait, one is cancelled, one signal is sent: it is not lost with the thread that was cancelled.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void unlock(void* argument) { pthread_mutex_unlock(&mutex); }

static void* wait_for_ready(void* passes_on) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, 0);
  while (!ready) pthread_cond_wait(&changed, &mutex);
  if (passes_on) pthread_cond_signal(&changed);
  pthread_cleanup_pop(1);
  return 0;
}

int main(void) {
  pthread_t cancelled, other;
  pthread_create(&cancelled, 0, wait_for_ready, &ready);
  pthread_create(&other, 0, wait_for_ready, 0);
  pthread_cancel(cancelled);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(cancelled, 0);
  pthread_cond_signal(&changed);
  pthread_join(other, 0);
  return 0;
}
