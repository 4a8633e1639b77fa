// expect: verdict=verified
// The bank again: whoever the money goes to, the account with the smaller number is locked first.
//
//     ./dev check examples/bank_fixed.c
#include <assert.h>
#include <pthread.h>

typedef struct {
  int number;
  pthread_mutex_t lock;
  int balance;
} account;

static account alice = {1, PTHREAD_MUTEX_INITIALIZER, 100};
static account bob = {2, PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(account* from, account* to, int amount) {
  account* first = from->number < to->number ? from : to;
  account* second = first == from ? to : from;
  pthread_mutex_lock(&first->lock);
  pthread_mutex_lock(&second->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
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
  assert(alice.balance == 90 && bob.balance == 110);
  return 0;
}
