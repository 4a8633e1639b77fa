// expect: verdict=verified
// expect: case=order cflags=-DORDER verdict=bug kind=deadlock
// Transfers between two accounts keep the sum; locks taken in two orders deadlock.
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
int balance[2] = {500, 500};
pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
void transfer(int from, int to, int sum) {
#ifdef ORDER
  int first = from, second = to;
#else
  int first = from < to ? from : to, second = from < to ? to : from;
#endif
  pthread_mutex_lock(&lock[first]);
  pthread_mutex_lock(&lock[second]);
  balance[from] -= sum;
  balance[to] += sum;
  pthread_mutex_unlock(&lock[second]);
  pthread_mutex_unlock(&lock[first]);
}
int sum;
void *back(void *unused) {
  transfer(1, 0, sum);
  return unused;
}
int main(void) {
  pthread_t t;
  sum = __VERIFIER_nondet_int();
  inspect_assume(sum > -1000 && sum < 1000);
  pthread_create(&t, 0, back, 0);
  transfer(0, 1, 7);
  pthread_join(t, 0);
  assert(balance[0] + balance[1] == 1000);
  return 0;
}
