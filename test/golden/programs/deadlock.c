// Two transfers lock their accounts in opposite orders.
#include <pthread.h>

typedef struct {
  pthread_mutex_t lock;
  int balance;
} account;

account savings = {PTHREAD_MUTEX_INITIALIZER, 100};
account current = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(account* from, account* to, int amount) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}

static void* pay_in(void* unused) {
  transfer(&current, &savings, 10);
  return unused;
}

int main(void) {
  pthread_t teller;
  pthread_create(&teller, 0, pay_in, 0);
  transfer(&savings, &current, 20);
  pthread_join(teller, 0);
}
