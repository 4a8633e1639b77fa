// expect: verdict=verified naive
// With acquire and release the pattern is sound.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int* _Atomic instance;

static void* use(void* unused) {
  int* seen = atomic_load_explicit(&instance, memory_order_acquire);
  if (seen == NULL) {
    pthread_mutex_lock(&mutex);
    seen = atomic_load_explicit(&instance, memory_order_relaxed);
    if (seen == NULL) {
      seen = malloc(sizeof *seen);
      *seen = 42;
      atomic_store_explicit(&instance, seen, memory_order_release);
    }
    pthread_mutex_unlock(&mutex);
  }
  assert(*seen == 42);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, use, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(instance);
  return 0;
}
