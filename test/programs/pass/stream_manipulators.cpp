// expect: verdict=verified cflags=-O0
// expect: case=optimised verdict=verified
// Each thread has a stream of its own; what setw and its like do to it is seen.
#include <cassert>
#include <iomanip>
#include <sstream>
#include <thread>

static void format(int n) {
  std::ostringstream out;
  out << std::setw(4) << std::setfill('.') << n << std::setprecision(2) << ' ' << 0.125 << std::setbase(16) << ' ' << 255
      << std::setiosflags(std::ios::showbase) << ' ' << 255 << std::resetiosflags(std::ios::showbase) << ' ' << 255;
  assert(out.str() == (n == 1 ? "...1 0.12 ff 0xff ff" : "...2 0.12 ff 0xff ff"));
  std::istringstream in("1234");
  int first = 0;
  char digits[3];
  in >> std::setw(3) >> digits >> std::setbase(10) >> first;
  assert(digits[0] == '1' && digits[1] == '2' && first == 34);
}

int main() {
  std::thread other(format, 1);
  format(2);
  other.join();
}
