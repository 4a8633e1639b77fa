// expect: verdict=bug kind=livelock
// A loop that waits copies what it looks at, which nobody changes.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct State {
  int value, ready;
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct State shared, copy;

static void* waiter(void* unused) {
  do { /* ERROR */
    pthread_mutex_lock(&mutex);
    copy = shared;
    pthread_mutex_unlock(&mutex);
  } while (!copy.ready);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_mutex_lock(&mutex);
  shared.value = 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
