// expect: verdict=verified executions(optimal)=1
// Sections that touch different memory are independent.
#include <inspect/inspect.h>
#include <pthread.h>
#include <stddef.h>

static int values[2];

static void __VERIFIER_atomic_bump(int* value) {
  *value += 1;
  *value += 1;
}

static void* worker(void* argument) {
  __VERIFIER_atomic_bump(argument);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, &values[0]);
  pthread_create(&b, NULL, worker, &values[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return values[0] + values[1] - 4;
}
