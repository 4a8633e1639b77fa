// expect: verdict=bug kind=data-race algorithms=optimal
// expect: case=plain verdict=bug kind=data-race cflags=-O0 algorithms=optimal
// The place is atomic, the object in it is not.
#include <atomic>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> place = std::make_shared<int>(1);

int main() {
  std::thread other([] { ++*place.load(); }); /* ERROR */
  ++*place.load();                            /* ERROR */
  other.join();
}
