// expect: verdict=verified naive
// Commuting increments are explored in one order, yet who reads the counter acquires from all of them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data[2];
static atomic_int done;

static void* worker(void* argument) {
  data[(long)argument] = 1;
  atomic_fetch_add_explicit(&done, 1, memory_order_release);
  return NULL;
}

static void* reader(void* unused) {
  if (atomic_load_explicit(&done, memory_order_acquire) == 2) assert(data[0] + data[1] == 2);
  return NULL;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, worker, (void*)0);
  pthread_create(&b, NULL, worker, (void*)1);
  pthread_create(&c, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
