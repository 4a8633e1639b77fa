// expect: verdict=verified cflags=-O2
// What two threads print in the same format makes no race.
#include <iostream>
#include <thread>

int main() {
  std::cout << std::hex;
  std::thread printer([] { std::cout << 10 << "\n"; });
  std::cout << 11 << "\n";
  printer.join();
  std::cout << std::dec;
}
