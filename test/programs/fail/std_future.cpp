// expect: verdict=bug kind=assertion
// A future may not be ready yet.
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> answer = promise.get_future();
  std::thread setter([&] { promise.set_value(42); });
  assert(answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready); /* ERROR */
  setter.join();
}
