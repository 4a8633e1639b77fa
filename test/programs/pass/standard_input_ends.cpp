// expect: verdict=verified
// expect: case=word verdict=verified cflags=-DREAD="std::cin>>text"
// expect: case=number verdict=verified cflags=-DREAD="std::cin>>number"
// Two threads read the standard input, which ends: both may change its state.
#include <iostream>
#include <string>
#include <thread>

#ifndef READ
#define READ std::getline(std::cin, text)
#endif

static void input() {
  [[maybe_unused]] std::string text;
  [[maybe_unused]] int number;
  READ;
}

int main() {
  std::thread thread(input);
#ifdef DEFECT
  std::cin.clear();
#else
  input();
#endif
  thread.join();
}
