// expect: verdict=bug kind=assertion naive
// expect: case=abort verdict=bug kind=assertion cflags=-DABORT
// expect: case=inspect verdict=bug kind=assertion cflags=-DINSPECT
// Three ways to say that something must not happen.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int first;

static void* worker(void* argument) {
  int nobody = 0;
  atomic_compare_exchange_strong(&first, &nobody, (int)(long)argument);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, (void*)1);
  pthread_create(&b, NULL, worker, (void*)2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#if defined ABORT
  if (first != 1) abort(); /* ERROR */
#elif defined INSPECT
  inspect_assert(first == 1); /* ERROR */
#else
  assert(first == 1); /* ERROR */
#endif
  return 0;
}
