// expect: verdict=bug kind=assertion naive
// A transition is (thread, alternative): having explored one value of the choice must not put the thread to sleep.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int shared;

static void* chooser(void* unused) {
  const unsigned choice = inspect_nondet(2);
  const int seen = shared;
  assert(!(choice == 1 && seen == 1)); /* ERROR */
  return NULL;
}

static void* setter(void* unused) {
  shared = 1;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, chooser, NULL);
  pthread_create(&b, NULL, setter, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
