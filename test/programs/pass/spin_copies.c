// expect: verdict=verified
// A loop that waits copies what it looks at, under the lock: no turn changes the copy but the last one.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct State {
  int value, ready;
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct State shared, copy;

static void* waiter(void* unused) {
  do {
    pthread_mutex_lock(&mutex);
    copy = shared;
    pthread_mutex_unlock(&mutex);
  } while (!copy.ready);
  assert(copy.value == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_mutex_lock(&mutex);
  shared.value = shared.ready = 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
