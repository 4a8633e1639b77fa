// expect: verdict=bug kind=data-race|memory-error algorithms=optimal
// expect: case=pool verdict=bug kind=data-race|memory-error cflags=-DPOOL algorithms=optimal
// Two threads take memory from one resource that is meant for one.
#include <memory_resource>
#include <thread>

#ifdef POOL
std::pmr::unsynchronized_pool_resource memory;
#else
std::pmr::monotonic_buffer_resource memory;
#endif

void use() {
  void* const block = memory.allocate(24);
  memory.deallocate(block, 24);
}

int main() {
  std::thread other(use);
  use();
  other.join();
}
