// expect: verdict=bug kind=uncaught-exception|assertion
// The destructor of a std::thread that was not joined calls std::terminate.
#include <thread>

int main() {
  std::thread worker([] {});
}
