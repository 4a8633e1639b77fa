// expect: verdict=verified naive
// Who joins a thread whose assumption failed waits for ever, and that is no deadlock: the execution is simply not meant.
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int value;

static void* assumer(void* unused) {
  inspect_assume(value == 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, assumer, NULL);
  value = 1;
  pthread_join(thread, NULL);
  return 0;
}
