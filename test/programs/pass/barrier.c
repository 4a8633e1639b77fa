// expect: verdict=verified
// What was written before the barrier is seen behind it; exactly one thread is the serial one; the barrier can be used again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static int values[2];
static atomic_int serial;

static void* worker(void* argument) {
  const long i = (long)argument;
  values[i] = 1;
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) atomic_fetch_add(&serial, 1);
  assert(values[1 - i] == 1);
  pthread_barrier_wait(&barrier);
  values[i] = 2;
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, (void*)0);
  pthread_create(&b, NULL, worker, (void*)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(serial == 1);
  pthread_barrier_destroy(&barrier);
  return 0;
}
