// expect: verdict=verified
// A thread reads a local of a block that has not ended, while its owner waits in the C++ library, which keeps no frame pointers.
#include <thread>

static int* shared;

__attribute__((noinline)) static void publish(int* place) { shared = place; }

int main(int count, char**) {
  int local = count;
  publish(&local);
  int seen = 0;
  std::thread reader([&] { seen = *shared; });
  reader.join();
  return seen == 1 ? 0 : 1;
}
