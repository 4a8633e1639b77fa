// expect: verdict=bug kind=data-race algorithms=optimal
// expect: case=output verdict=bug kind=data-race cflags=-DOUTPUT algorithms=optimal
// Reading from a stream, or writing to it, flushes the one it is tied to, while another thread writes to that.
#include <sstream>
#include <thread>

std::ostringstream report;
#ifdef OUTPUT
std::ostringstream tied;
void use() { tied << 1; }
#else
std::istringstream tied("7");
int number;
void use() { tied >> number; }
#endif

int main() {
  tied.tie(&report);
  std::thread other(use);
  report << 2;
  other.join();
}
