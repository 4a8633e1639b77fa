// expect: verdict=verified
// expect: case=unlocked cflags=-DUNLOCKED verdict=bug kind=data-race
// expect: case=overdrawn cflags=-DOVERDRAWN verdict=bug kind=assertion
// Two withdrawals of any amounts never take more than there is.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
unsigned balance, taken;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned amounts[2];
void *withdraw(void *arg) {
  unsigned amount = *(unsigned *)arg;
#ifndef UNLOCKED
  pthread_mutex_lock(&m);
#endif
#ifdef OVERDRAWN
  if (balance + 1 >= amount) {
#else
  if (balance >= amount) {
#endif
    balance -= amount;
    taken += amount;
  }
#ifndef UNLOCKED
  pthread_mutex_unlock(&m);
#endif
  return 0;
}
int main(void) {
  pthread_t a, b;
  unsigned start = __VERIFIER_nondet_uint();
  inspect_assume(start < 1000);
  balance = start;
  amounts[0] = __VERIFIER_nondet_uint();
  amounts[1] = __VERIFIER_nondet_uint();
  inspect_assume(amounts[0] < 1000 && amounts[1] < 1000);
  pthread_create(&a, 0, withdraw, &amounts[0]);
  pthread_create(&b, 0, withdraw, &amounts[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(taken <= start);
  return 0;
}
