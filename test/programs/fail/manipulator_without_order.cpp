// expect: verdict=bug kind=data-race cflags=-O0
// expect: case=optimised verdict=bug kind=data-race cflags=-O2
// A manipulator changes the format of a standard stream, which the other thread's output reads.
#include <iostream>
#include <thread>

int main() {
  std::thread printer([] { std::cout << 10 << "\n"; });
  std::cout << std::hex;
  printer.join();
}
