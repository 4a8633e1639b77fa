// expect: verdict=bug kind=assertion
// expect: case=last verdict=bug kind=assertion cflags=-DLAST
// POSIX leaves open which thread is the serial one: neither the first nor the last to arrive may be relied on.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static atomic_int arrived;

static void* worker(void* unused) {
  const int last = atomic_fetch_add(&arrived, 1) == 1;
  const int serial = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
#ifdef LAST
  assert(serial == last); /* ERROR */
#else
  assert(serial != last); /* ERROR */
#endif
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
