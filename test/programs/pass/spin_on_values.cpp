// expect: verdict=verified executions(source)=1 executions(optimal)=1 redundant(source)=0 redundant(optimal)=0
// Loops that wait for a bool, a pointer, a bit, a bound from below, a negative number.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> begun{false};
static std::atomic<const int*> shown{nullptr};
static std::atomic<unsigned> bits{1};
static std::atomic<short> level{-3};
static std::atomic<long> depth{5};

int main() {
  const int value = 7;
  std::thread other([] {
    while (!begun) std::this_thread::yield();
    const int* seen = nullptr;
    while (!(seen = shown.load(std::memory_order_acquire))) {
    }
    assert(*seen == 7);
    while (!(bits & 4)) {
    }
    while (level < 0) std::this_thread::yield();
    while (depth.load() > -2) {
    }
  });
  begun = true;
  shown.store(&value, std::memory_order_release);
  bits = 7;
  level = 0;
  depth = -2;
  other.join();
}
