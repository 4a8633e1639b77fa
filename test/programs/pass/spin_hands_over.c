// expect: verdict=verified
// expect: case=waiter_first verdict=verified cflags=-DWAITER_FIRST
// A thread waits with the lock held, which it gives away for a moment in each turn. The other one waits for nothing but that lock, and
// then sets what the first one waits for.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag;
static atomic_int request;

static void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!flag) {
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
  }
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* setter(void* unused) {
  while (!atomic_load(&request)) {
  }
  pthread_mutex_lock(&mutex);
  flag = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* begin(void* unused) {
  atomic_store(&request, 1);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, begin, NULL);
#ifdef WAITER_FIRST
  pthread_create(&second, NULL, setter, NULL);
  waiter(NULL);
#else
  pthread_create(&second, NULL, waiter, NULL);
  setter(NULL);
#endif
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
