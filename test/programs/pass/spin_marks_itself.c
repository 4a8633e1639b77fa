// expect: verdict=verified naive
// Each turn changes an atomic object and changes it back; nobody looks at it.
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
  atomic_store(&flag, 1);
  pthread_join(thread, NULL);
  return 0;
}
