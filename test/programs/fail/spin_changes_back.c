// expect: verdict=bug kind=assertion naive
// Each turn of the loop leaves everything as it was, but others see in between that it was not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static int turning;

static void set(int value) {
  pthread_mutex_lock(&mutex);
  turning = value;
  pthread_mutex_unlock(&mutex);
}

static void* waiter(void* unused) {
  for (;;) {
    if (atomic_load(&flag)) return unused;
    set(1);
    set(0);
    if (atomic_load(&flag)) return unused;
  }
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_mutex_lock(&mutex);
  assert(!turning); /* ERROR */
  pthread_mutex_unlock(&mutex);
  atomic_store(&flag, 1);
  pthread_join(thread, NULL);
  return 0;
}
