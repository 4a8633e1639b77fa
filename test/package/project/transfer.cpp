// What it does is said by its argument and by definitions of its target.
#include <cassert>
#include <cstring>
#include <thread>

#include "account.hpp"

int main(int argc, char** argv) {
  assert(argc == 2 && AMOUNT == 5);
  const bool lock = std::strcmp(argv[1], "lock") == 0;
  Account account;
  const auto add = [&] { lock ? account.add(AMOUNT) : account.add_without_lock(AMOUNT); };
  std::thread other(add);
  add();
  other.join();
  assert(account.balance() == 2 * AMOUNT);
}
