// What a facet of the program's own says is changed while another thread prints by it.
//
// expect: verdict=bug kind=data-race algorithms=dpor
#include <locale>
#include <sstream>
#include <thread>

static char point = ',';

struct Grouped : std::numpunct<char> {
  char do_decimal_point() const override { return point; /* ERROR */ }
};

int main() {
  const std::locale grouped(std::locale::classic(), new Grouped);
  const auto print = [grouped] {
    std::ostringstream out;
    out.imbue(grouped);
    out << 1.5;
  };
  std::thread other(print);
  point = ';'; /* ERROR */
  other.join();
}
