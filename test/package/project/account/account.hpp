#pragma once
#include <mutex>

class Account {
 public:
  void add(int amount);
  void add_without_lock(int amount);
  int balance();

 private:
  std::mutex mutex_;
  int balance_ = 0;
};
