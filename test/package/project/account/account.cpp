#include "account.hpp"

#ifndef ACCOUNT_LIBRARY
#error "definitions of the library are missing"
#endif

void Account::add(int amount) {
  const std::lock_guard<std::mutex> lock(mutex_);
  balance_ += amount;
}
void Account::add_without_lock(int amount) { balance_ += amount; }
int Account::balance() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return balance_;
}
