// expect: verdict=verified
// A condition variable of C++ in an object on the heap: the library's constructor initialises it.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

struct Gate {
  std::mutex mutex;
  std::condition_variable opened;
  bool open = false;
};

int main() {
  const auto gate = std::make_unique<Gate>();
  std::thread waiter([&] {
    std::unique_lock<std::mutex> lock(gate->mutex);
    gate->opened.wait(lock, [&] { return gate->open; });
  });
  {
    const std::lock_guard<std::mutex> lock(gate->mutex);
    gate->open = true;
  }
  gate->opened.notify_all();
  waiter.join();
}
