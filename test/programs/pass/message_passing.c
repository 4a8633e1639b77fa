// expect: verdict=verified naive executions(optimal)=2
// expect: case=pdp algorithms=pdp verdict=verified property=data-race
// expect: case=fences verdict=verified cflags=-DFENCES
// expect: case=all verdict=verified options=--visible=all executions(optimal)=2
// Release and acquire, written at the accesses or as fences.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int flag;

static void* sender(void* unused) {
  data = 42;
#ifdef FENCES
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
#else
  atomic_store_explicit(&flag, 1, memory_order_release);
#endif
  return NULL;
}

static void* receiver(void* unused) {
#ifdef FENCES
  const int seen = atomic_load_explicit(&flag, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
#else
  const int seen = atomic_load_explicit(&flag, memory_order_acquire);
#endif
  if (seen) assert(data == 42);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, sender, NULL);
  pthread_create(&b, NULL, receiver, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
