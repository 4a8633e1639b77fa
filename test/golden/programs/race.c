// A counter without a lock; `done` is an atomic.
#include <pthread.h>
#include <stdatomic.h>

int counter;
atomic_int done;

static void* count(void* unused) {
  counter++;
  atomic_fetch_add(&done, 1);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, count, 0);
  counter++;
  pthread_join(other, 0);
}
