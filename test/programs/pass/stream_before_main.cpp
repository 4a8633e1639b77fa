// expect: verdict=verified
// A log that a global object opens before main, written under a lock.
#include <fstream>
#include <mutex>
#include <thread>

namespace {
std::ofstream report("/dev/null");
std::mutex lock;
void tell(int number) {
  const std::lock_guard guard(lock);
  report << "thread " << number << std::endl;
}
}  // namespace

int main() {
  std::thread other(tell, 1);
  tell(2);
  other.join();
  return report.good() ? 0 : 1;
}
