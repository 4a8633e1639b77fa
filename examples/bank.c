// expect: verdict=bug kind=deadlock
// A small bank: two customers send each other money at the same moment.
//
//     ./dev check examples/bank.c
//
// Tests of this program pass for years. It has one fatal schedule, and Inspect shows it.
#include <assert.h>
#include <pthread.h>

typedef struct {
  pthread_mutex_t lock;
  int balance;
} account;

static account alice = {PTHREAD_MUTEX_INITIALIZER, 100};
static account bob = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(account* from, account* to, int amount) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}

static void* alice_pays(void* unused) {
  transfer(&alice, &bob, 30);
  return NULL;
}

static void* bob_pays(void* unused) {
  transfer(&bob, &alice, 20);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, alice_pays, NULL);
  pthread_create(&second, NULL, bob_pays, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(alice.balance + bob.balance == 200);
  return 0;
}
