// expect: verdict=verified naive
// A cleanup handler gives the lock back when the thread leaves from within.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int left;

static void give_back(void* argument) { pthread_mutex_unlock(argument); }

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(give_back, &mutex);
  left++;
  if (left == 1) pthread_exit(NULL);
  pthread_cleanup_pop(1);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
