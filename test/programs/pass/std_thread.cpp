// expect: verdict=verified
// std::thread with a lambda, std::mutex with a guard, std::scoped_lock over two.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::mutex left, right;
  int value = 0;
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    std::scoped_lock both(left, right);
    ++value;
  });
  threads.emplace_back([&] {
    std::scoped_lock both(right, left);
    ++value;
  });
  for (auto& thread : threads) thread.join();
  assert(value == 2);
}
