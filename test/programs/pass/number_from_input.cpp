// expect: verdict=verified stdin="5" algorithms=optimal
// expect: case=empty verdict=verified stdin="" algorithms=optimal
// One thread reads standard input, which flushes std::cout, while the other writes there: the standard streams need no lock.
#include <iostream>
#include <thread>

int main() {
  int number = 0;
  std::thread other([&] { std::cin >> number; });
  std::cout << "said";
  other.join();
  std::cout << number;
}
