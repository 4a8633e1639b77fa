// expect: verdict=verified
// Readers share, the writer excludes.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main() {
  std::shared_mutex mutex;
  int left = 0, right = 0;
  auto read = [&] {
    std::shared_lock lock(mutex);
    assert(left == right);
  };
  std::thread a(read), b(read);
  {
    std::unique_lock lock(mutex);
    ++left;
    ++right;
  }
  a.join();
  b.join();
}
