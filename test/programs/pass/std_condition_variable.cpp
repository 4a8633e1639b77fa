// expect: verdict=verified
// A queue with a condition variable; wait_for may time out and tries again.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class Queue {
 public:
  void push(int value) {
    std::lock_guard guard(mutex_);
    items_.push_back(value);
    filled_.notify_one();
  }
  int pop() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return !items_.empty(); });
    const int value = items_.front();
    items_.pop_front();
    return value;
  }
  bool pop_for(std::chrono::milliseconds patience, int& value) {
    std::unique_lock lock(mutex_);
    if (!filled_.wait_for(lock, patience, [&] { return !items_.empty(); })) return false;
    value = items_.front();
    items_.pop_front();
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<int> items_;
};

int main() {
  Queue queue;
  std::thread producer([&] { queue.push(42); });
  int value = 0;
  if (!queue.pop_for(std::chrono::milliseconds(5), value)) value = queue.pop();
  assert(value == 42);
  producer.join();
}
