#include <gtest/gtest.h>

#include <mutex>
#include <thread>

TEST(Plain, NoThreads) { EXPECT_EQ(1 + 1, 2); }

TEST(Plain, Threads) {
  int n = 0;
  std::mutex m;
  const auto count = [&] {
    const std::lock_guard<std::mutex> lock(m);
    ++n;
  };
  std::thread other(count);
  count();
  other.join();
  EXPECT_EQ(n, 2);
}
