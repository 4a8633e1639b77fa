// Two transfers at the same time, each of any amount that the account covers. Is there always money left?
#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int account = 100, savings = 50;

static void* transfer(void* unused) {
  int amount = __VERIFIER_nondet_int();
  if (amount <= 0) return unused;
  pthread_mutex_lock(&lock);
  int covered = amount <= account;
#ifndef TOGETHER
  pthread_mutex_unlock(&lock);  // the bank is asked meanwhile
  pthread_mutex_lock(&lock);
#endif
  if (covered) {
    account -= amount;
    savings += amount;
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, transfer, 0);
  pthread_create(&second, 0, transfer, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(account >= 0);
  assert(account + savings == 150);
  return 0;
}
