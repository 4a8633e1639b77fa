// expect: verdict=verified algorithms=optimal
// A resource for several threads, and one for each.
#include <memory_resource>
#include <thread>
#include <vector>

std::pmr::synchronized_pool_resource shared;

void use() {
  std::pmr::monotonic_buffer_resource own;
  std::pmr::vector<int> list(&own);
  for (int i = 0; i < 10; ++i) list.push_back(i);
  shared.deallocate(shared.allocate(24), 24);
}

int main() {
  std::thread other(use);
  use();
  other.join();
}
