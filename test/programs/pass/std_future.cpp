// expect: verdict=verified
// A promise carries a value, then an exception; async and packaged_task run elsewhere.
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> answer = promise.get_future();
  std::thread setter([&] { promise.set_value(42); });
  assert(answer.get() == 42);
  setter.join();

  auto task = std::async(std::launch::async, []() -> int { throw std::logic_error("no"); });
  bool caught = false;
  try {
    task.get();
  } catch (const std::logic_error&) {
    caught = true;
  }
  assert(caught);
}
