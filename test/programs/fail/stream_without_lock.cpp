// expect: verdict=bug kind=data-race algorithms=optimal
// expect: case=plain verdict=bug kind=data-race cflags="-O0 -std=gnu++17" algorithms=optimal
// Two threads write to one string stream: its position in the buffer is changed by both.
#include <sstream>
#include <thread>

int main() {
  std::ostringstream report;
  std::thread other([&] { report << "from a thread "; });
  report << "from main ";
  other.join();
  return report.str().empty();
}
