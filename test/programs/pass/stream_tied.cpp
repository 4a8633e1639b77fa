// expect: verdict=verified algorithms=optimal
// Reading from a stream flushes the one it is tied to: those who write to that and those who read take turns.
#include <mutex>
#include <sstream>
#include <thread>

std::mutex turn;
std::istringstream source("7");
std::ostringstream report;

int main() {
  source.tie(&report);
  int number = 0;
  std::thread reader([&] {
    std::lock_guard guard(turn);
    source >> number;
  });
  {
    std::lock_guard guard(turn);
    report << 2;
  }
  reader.join();
  return number - 7;
}
