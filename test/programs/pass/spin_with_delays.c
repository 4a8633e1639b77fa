// expect: verdict=verified naive
// Between attempts the thread idles for longer and longer, up to a limit, by a loop within the loop.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int lock;
static int counter;

static void* worker(void* unused) {
  unsigned delay = 1;
  while (atomic_exchange(&lock, 1)) {
    for (volatile unsigned i = 0; i < delay; i++) {
    }
    if (delay < 16) delay *= 2;
  }
  counter++;
  atomic_store(&lock, 0);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return counter != 2;
}
