// expect: verdict=verified algorithms=optimal
// expect: case=plain verdict=verified cflags="-O0 -std=gnu++17" algorithms=optimal
// Streams used right: a string stream and a file under a lock, one of each thread's own, and std::cout, which needs no lock.
#include <cassert>
#include <fstream>
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>

std::mutex lock;
std::ofstream file("/dev/null");

void say(std::ostream& report, int who) {
  std::ostringstream own;
  own << "number " << who << ' ' << 0.5 * who;
  std::cout << own.str() + "\n";
  std::lock_guard guard(lock);
  report << own.str() << std::endl;
  file << who << std::endl;
}

int main() {
  std::ostringstream report;
  std::thread other([&] { say(report, 1); });
  say(report, 2);
  other.join();
  assert(report.str().find("number 1 0.5\n") != std::string::npos);
}
