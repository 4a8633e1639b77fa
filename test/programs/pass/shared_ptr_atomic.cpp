// expect: verdict=verified algorithms=optimal
// One thread puts another object in the place of a shared one; whoever takes it has one that is whole.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> place = std::make_shared<int>(1);

int main() {
  std::thread other([] { place.store(std::make_shared<int>(2)); });
  const std::shared_ptr<int> taken = place.load();
  assert(*taken == 1 || *taken == 2);
  other.join();
  assert(*place.load() == 2);
}
