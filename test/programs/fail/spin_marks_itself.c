// expect: verdict=bug kind=assertion naive
// Each turn changes an atomic object and changes it back, and another thread may see that: only in a turn, and only if it looks.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag, busy;

static void* waiter(void* unused) {
  while (!atomic_load(&flag)) {
    atomic_store(&busy, 1);
    atomic_store(&busy, 0);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  assert(!atomic_load(&busy)); /* ERROR */
  atomic_store(&flag, 1);
  pthread_join(thread, NULL);
  return 0;
}
