// expect: verdict=verified naive executions(optimal)=3
// Before, after, or during the other's section: the third way is the failing one.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void* careful(void* unused) {
  pthread_mutex_lock(&mutex);
  value++;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, careful, NULL);
  const int result = pthread_mutex_trylock(&mutex);
  assert(result == 0 || result == EBUSY);
  if (result == 0) {
    value++;
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, NULL);
  return 0;
}
