// expect: verdict=verified algorithms=optimal
// expect: case=plain verdict=verified cflags="-O0 -std=gnu++17" algorithms=optimal
// expect: case=older verdict=verified cflags="-O2 -std=gnu++14" algorithms=optimal
// The library's conversions call the C library's through pointers.
#include <cassert>
#include <string>
#include <thread>

void convert(const std::string& text, int value) {
  assert(std::stoi(text) == value && std::stod(text) == value && std::stoull(text) == unsigned(value));
  assert(std::to_string(value) == text && std::to_string(1.0 * value) == text + ".000000");
}

int main() {
  std::thread other(convert, "12", 12);
  convert("345", 345);
  other.join();
}
