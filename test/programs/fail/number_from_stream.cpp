// expect: verdict=bug kind=data-race algorithms=optimal
// expect: case=line verdict=bug kind=data-race cflags="-DLINE -std=gnu++17" algorithms=optimal
// expect: case=input verdict=bug kind=data-race cflags=-DINPUT stdin="17" algorithms=optimal
// A stream of the thread's own, but what is read from it is stored where another thread looks without order.
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

int number;
std::string line;

void take() {
#ifdef INPUT
  std::cin >> number;
#else
  std::istringstream in("17 and more\n");
#ifdef LINE
  std::getline(in, line);
#else
  in >> number;
#endif
#endif
}

int main() {
  std::thread other(take);
  const bool early = number == 0 && line.empty();
  other.join();
  return !early && number == 1;
}
