// expect: verdict=inconclusive algorithms=source,optimal reason="reads the same values"
// Two threads wait; one of them is released by what the other one shows for a moment at each turn, and then releases that one.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag, shown;

static void* shows(void* unused) {
  while (!atomic_load(&flag)) {
    atomic_store(&shown, 1);
    atomic_store(&shown, 0);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, shows, NULL);
  while (!atomic_load(&shown)) {
  }
  atomic_store(&flag, 1);
  pthread_join(thread, NULL);
  return 0;
}
