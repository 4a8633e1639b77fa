// expect: verdict=bug kind=exit-status naive
// The program reports failure under one order of the threads.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int value;

static void* set(void* argument) {
  atomic_store(&value, (int)(long)argument);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, set, (void*)1);
  pthread_create(&b, NULL, set, (void*)2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value == 2 ? 0 : 3;
}
