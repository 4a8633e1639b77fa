// expect: verdict=bug kind=assertion naive
// expect: case=back verdict=bug kind=assertion cflags=-DBACK naive
// A waiting loop stores what it stored the turn before, but another thread has changed it meanwhile, or sees it change.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int stop;
static int state;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void set(int value) {
  pthread_mutex_lock(&mutex);
  state = value;
  pthread_mutex_unlock(&mutex);
}

static void* waiter(void* unused) {
  while (!stop) {
    set(1);
#ifdef BACK
    set(0);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  set(1);
  set(0);
  pthread_mutex_lock(&mutex);
  const int seen = state;
  pthread_mutex_unlock(&mutex);
  stop = 1;
  pthread_join(thread, NULL);
#ifdef BACK
  assert(!seen);
#else
  assert(!(seen && state == 1 && stop));
#endif
}
