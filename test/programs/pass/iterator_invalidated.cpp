// expect: verdict=verified
// Both under one mutex.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::mutex mutex;
  std::vector<int> values = {1, 2, 3};
  int sum = 0;
  std::thread reader([&] {
    std::lock_guard guard(mutex);
    for (int value : values) sum += value;
  });
  {
    std::lock_guard guard(mutex);
    values.push_back(4);
  }
  reader.join();
  assert(sum == 6 || sum == 10);
}
