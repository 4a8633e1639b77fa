// expect: case=returned verdict=bug kind=memory-error cflags=-DRETURNED algorithms=optimal
// expect: case=returned_O2 verdict=bug kind=memory-error cflags="-DRETURNED -O2" algorithms=optimal
// expect: case=block verdict=bug kind=memory-error cflags=-DBLOCK algorithms=optimal
// expect: case=block_in_heap verdict=bug kind=memory-error cflags="-DBLOCK -DHEAP" algorithms=optimal
// expect: case=later verdict=inconclusive assumption="a stack of the program's own, used after its thread" cflags=-DLATER algorithms=optimal
// expect: case=in_time verdict=verified cflags=-DIN_TIME algorithms=optimal
// expect: case=in_time_in_heap verdict=verified cflags="-DIN_TIME -DHEAP" algorithms=optimal
// Locals of a thread end on a stack of the program's own too.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { kBytes = 256 << 10 };
static char memory[kBytes] __attribute__((aligned(4096)));
static int* place;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void publish(int value) {
  int local = value;
  pthread_mutex_lock(&mutex);
  place = &local;
  pthread_mutex_unlock(&mutex);
#if defined(IN_TIME)
  pthread_mutex_lock(&mutex);
  place = NULL;
  pthread_mutex_unlock(&mutex);
#endif
}

static void* worker(void* unused) {
  publish(3);
#if defined(BLOCK)
  {
    int inner = 1;
    place = &inner;
  }
  ++*place; /* ERROR */
#endif
  return unused;
}

int main(void) {
#if defined(HEAP)
  char* stack = aligned_alloc(4096, kBytes);
#else
  char* stack = memory;
#endif
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  assert(!pthread_attr_setstack(&attributes, stack, kBytes));
  pthread_t thread;
  pthread_create(&thread, &attributes, worker, NULL);
#if defined(RETURNED) || defined(IN_TIME)
  pthread_mutex_lock(&mutex);
  if (place) ++*place; /* ERROR */
  pthread_mutex_unlock(&mutex);
#endif
  pthread_join(thread, NULL);
#if defined(LATER)
  ++*place;
#endif
  return 0;
}
