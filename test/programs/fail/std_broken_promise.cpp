// expect: verdict=bug kind=uncaught-exception
// The thread that promised leaves without a value under one schedule: get() throws and nobody catches.
#include <atomic>
#include <future>
#include <thread>

int main() {
  std::atomic<bool> cancelled = false;
  std::promise<int> promise;
  std::future<int> answer = promise.get_future();
  std::thread worker([&, mine = std::move(promise)]() mutable {
    if (!cancelled) mine.set_value(1);
  });
  std::thread canceller([&] { cancelled = true; });
  const int value = answer.get();
  worker.join();
  canceller.join();
  return value - 1;
}
