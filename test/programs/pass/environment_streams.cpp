// expect: verdict=verified
// C++ streams and the C library's temporary files; std::random_device gives the same numbers in every execution.
#include <cassert>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <thread>

int main() {
  {
    std::ofstream out("made-by-environment_streams");
    out << "line " << 1 << "\nline " << 2 << std::endl;
    assert(out.good());
  }
  std::ifstream in("made-by-environment_streams");
  std::string line;
  assert(std::getline(in, line) && line == "line 1");
  assert(std::getline(in, line) && line == "line 2");
  assert(!std::getline(in, line));
  std::fstream both("made-by-environment_streams", std::ios::in | std::ios::out | std::ios::ate);
  assert(both.tellg() == 14);
  std::FILE* unnamed = std::tmpfile();
  assert(unnamed && std::fputs("0123456789", unnamed) >= 0);
  std::rewind(unnamed);
  char text[8] = "";
  assert(std::fread(text, 1, 4, unnamed) == 4 && std::string(text) == "0123" && std::ftell(unnamed) == 4);
  std::fclose(unnamed);
  std::random_device device;
  const unsigned first = device(), second = device();
  assert(first != second);
  std::thread([] { std::cout << "output by a thread\n"; }).join();
  std::cout << first << '\n';
  return 0;
}
