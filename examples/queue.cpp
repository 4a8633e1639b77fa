// expect: verdict=verified
// A bounded queue with std::mutex and std::condition_variable, two producers and a consumer: every item arrives once.
//
//     ./dev check examples/queue.cpp
//
// Take one of the notifications out, or write `if` instead of the predicate's loop, and see what happens.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

template <class T>
class Queue {
 public:
  explicit Queue(std::size_t capacity) : capacity_(capacity) {}

  void push(T value) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [&] { return items_.size() < capacity_; });
    items_.push_back(std::move(value));
    not_empty_.notify_one();
  }

  T pop() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [&] { return !items_.empty(); });
    T value = std::move(items_.front());
    items_.pop_front();
    not_full_.notify_one();
    return value;
  }

 private:
  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable not_empty_, not_full_;
  std::deque<T> items_;
};

int main() {
  Queue<int> queue(1);
  std::thread first([&] { queue.push(1); });
  std::thread second([&] { queue.push(2); });
  const int sum = queue.pop() + queue.pop();
  assert(sum == 3);
  first.join();
  second.join();
}
