// expect: verdict=inconclusive assumption="std::locale::global" algorithms=optimal
// A function of the C++ library that nobody described is named, once there are two threads.
#include <locale>
#include <thread>

int main() {
  std::thread other([] { std::locale::global(std::locale::classic()); });
  other.join();
}
