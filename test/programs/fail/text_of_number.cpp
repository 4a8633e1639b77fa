// expect: verdict=bug kind=data-race algorithms=optimal
// expect: case=from verdict=bug kind=data-race cflags=-DFROM algorithms=optimal
// The library's conversion of a floating-point number writes, or reads, text that another thread uses.
#include <charconv>
#include <thread>

char text[16] = "0.25";

int main() {
  std::thread other([] {
#ifdef FROM
    double value = 0;
    std::from_chars(text, text + 4, value);
#else
    std::to_chars(text, text + sizeof text, 7.5);
#endif
  });
  text[0] = '1';
  other.join();
}
