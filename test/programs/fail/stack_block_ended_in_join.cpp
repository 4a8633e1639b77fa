// expect: case=O1 verdict=bug kind=memory-error cflags=-O1
// expect: case=O0 verdict=bug kind=memory-error cflags=-O0 algorithms=optimal
// expect: case=O2 verdict=bug kind=memory-error cflags=-O2 algorithms=optimal
// A thread reads a local of a block that has ended, while its owner waits in the C++ library, which keeps no frame pointers.
#include <thread>

static int* shared;

__attribute__((noinline)) static void publish(int* place) { shared = place; }

int main(int count, char**) {
  {
    int local = count;
    publish(&local);
  }
  int seen = 0;
  std::thread reader([&] { seen = *shared; });
  reader.join();
  return seen == 1 ? 0 : 1;
}
