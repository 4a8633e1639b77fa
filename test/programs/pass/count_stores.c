// expect: verdict=verified executions(optimal)=10 executions(dpor)=10
// Two and three stores to one variable: binomial(5, 2) orders.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void* two(void* unused) {
  x = 1;
  x = 2;
  return NULL;
}

static void* three(void* unused) {
  x = 3;
  x = 4;
  x = 5;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, two, NULL);
  pthread_create(&b, NULL, three, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
