// expect: verdict=bug kind=livelock naive
// Each turn writes to the thread's own stack, the same values again and again: more in two turns than is remembered of one.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void* waiter(void* unused) {
  volatile int seen[5] = {0};
  do { /* ERROR */
    for (int i = 0; i < 5; i++) seen[i] = atomic_load(&flag);
  } while (!seen[4]);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_join(thread, NULL);
  return 0;
}
