// Two threads print numbers by a facet of the program's own. The library keeps what it says, by whoever prints first.
//
// expect: verdict=verified algorithms=dpor
#include <locale>
#include <sstream>
#include <thread>

struct Grouped : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  std::string do_grouping() const override { return "\3"; }
};

int main() {
  const std::locale grouped(std::locale::classic(), new Grouped);
  const auto print = [grouped] {
    std::ostringstream out;
    out.imbue(grouped);
    out << 1234.5;
    if (out.str() != "1,234,5") std::abort();
  };
  std::thread other(print);
  print();
  other.join();
}
