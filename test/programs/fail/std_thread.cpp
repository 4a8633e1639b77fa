// expect: verdict=bug kind=deadlock
// Two guards instead of one scoped_lock, in opposite order.
#include <mutex>
#include <thread>

int main() {
  std::mutex left, right;
  std::thread a([&] {
    std::lock_guard first(left);
    std::lock_guard second(right);
  });
  std::thread b([&] {
    std::lock_guard first(right);
    std::lock_guard second(left);
  });
  a.join();
  b.join();
}
