// expect: verdict=bug kind=deadlock naive
// expect: case=sampled verdict=bug kind=deadlock algorithms=random,pct options=--seed=1
// The flag is tested before the lock is taken: the signal can fall between test and wait.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void* waiter(void* unused) {
  if (!ready) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&changed, &mutex); /* ERROR */
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_join(thread, NULL); /* ERROR */
  return 0;
}
