// expect: verdict=inconclusive|bug kind=livelock algorithms=source,optimal
// Two threads wait for what neither changes, and give the lock to each other at each turn, any number of times.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!flag) {
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
  }
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  waiter(NULL);
  pthread_join(thread, NULL);
  return 0;
}
