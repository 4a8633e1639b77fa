// expect: verdict=bug kind=deadlock
// std::lock avoids a deadlock among its callers, not one with a thread that keeps one of the locks for ever.
#include <mutex>
#include <thread>

std::mutex left, right;

int main() {
  std::thread other([] { right.lock(); });
  std::thread both([] { std::scoped_lock locked(left, right); });
  other.join();
  both.join();
}
