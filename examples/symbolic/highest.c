// Each thread has measured something, and all want to know the highest value, without a lock.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int highest = -1000000;

static void report(int value) {
  int now = highest;
#ifdef EXCHANGE
  while (value > now && !atomic_compare_exchange_strong(&highest, &now, value));
#else
  if (value > now) highest = value;
#endif
}

static void* measure(void* unused) {
  int value = __VERIFIER_nondet_int();
  __VERIFIER_assume(value > -100 && value < 100);
  report(value);
  assert(highest >= value);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, measure, 0);
  pthread_create(&second, 0, measure, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
