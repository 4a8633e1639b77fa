// expect: verdict=bug kind=exit-status naive
// What main returns is part of the state that it ends in, though nothing of it stands in memory.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *work(void *unused) {
  atomic_store(&done, 1);
  atomic_store(&done, 0);
  return unused;
}

int main(void) { /* ERROR */
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  return atomic_load(&done);
}
