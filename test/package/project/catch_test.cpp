#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#include <thread>

#include "account.hpp"

TEST_CASE("both amounts, [all] of them, arrive") {
  Account account;
  std::thread other([&] { account.add(1); });
  account.add(2);
  other.join();
  REQUIRE(account.balance() == 3);
}

TEST_CASE("nobody locks", "[wrong]") {
  Account account;
  std::thread other([&] { account.add_without_lock(1); });
  account.add_without_lock(2);
  other.join();
  REQUIRE(account.balance() == 3);
}

TEST_CASE("the other is always first", "[wrong]") {
  Account account;
  std::thread other([&] { account.add(1); });
  const int seen = account.balance();
  other.join();
  CHECK(seen == 1);
}
