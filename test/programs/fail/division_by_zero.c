// expect: verdict=bug kind=crash
// An arithmetic trap that only one order of the threads brings about.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int divisor = 1;

static void* clear(void* unused) {
  atomic_store(&divisor, 0);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, clear, NULL);
  volatile int quotient = 100 / atomic_load(&divisor); /* ERROR */
  (void)quotient;
  pthread_join(thread, NULL);
  return 0;
}
