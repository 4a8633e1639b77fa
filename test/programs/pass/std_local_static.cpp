// expect: verdict=verified
// Two threads meet at the initialisation of a function-local static: one runs it, the other waits.
#include <cassert>
#include <thread>

static int runs = 0;

struct Registry {
  Registry() { ++runs; }
  int value = 42;
};

static Registry& registry() {
  static Registry instance;
  return instance;
}

int main() {
  auto use = [] { assert(registry().value == 42); };
  std::thread a(use), b(use);
  a.join();
  b.join();
  assert(runs == 1);
}
