// expect: verdict=verified
// Atomics of C++20: wait and notify, shared_ptr, a struct of eight bytes.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

struct Pair {
  int low = 0, high = 0;
};

int main() {
  std::atomic<int> stage = 0;
  std::atomic<Pair> pair;
  auto shared = std::make_shared<int>(42);
  std::thread worker([&, mine = shared] {
    pair.store({1, 1});
    assert(*mine == 42);
    stage.store(1);
    stage.notify_one();
  });
  const Pair seen = pair.load();
  assert(seen.low == seen.high);
  stage.wait(0);
  assert(pair.load().high == 1);
  worker.join();
}
