// expect: verdict=bug kind=data-race stdin="" algorithms=optimal
// expect: case=word verdict=bug kind=data-race cflags=-DWORD stdin="" algorithms=optimal
// A value read from standard input is used by another thread. That the input is empty this time makes it no better.
#include <iostream>
#include <string>
#include <thread>

#ifdef WORD
std::string value;
#else
int value;
#endif

int main() {
  std::thread reader([] { std::cin >> value; });
  value = {};
  reader.join();
}
