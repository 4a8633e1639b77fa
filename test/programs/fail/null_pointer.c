// expect: verdict=bug kind=crash naive
// Used before the other thread has set it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int value = 7;
static int* _Atomic pointer;

static void* set(void* unused) {
  atomic_store(&pointer, &value);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, set, NULL);
  const int seen = *atomic_load(&pointer); /* ERROR */
  pthread_join(thread, NULL);
  return seen == 7 ? 0 : 1;
}
