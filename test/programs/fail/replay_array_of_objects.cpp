// Objects in an array on the stack: each is counted in by its own thread, and one by all.
// expect: options="--races=report --keep-going" algorithms=dpor,source verdict=bug kind=data-race kinds=assertion,data-race
#include <cassert>
#include <thread>

struct Counter {
  int hits = 0, misses = 0;
  void hit() { ++hits; }
  void miss() { ++misses; }
};

int main() {
  Counter counters[2];
  const auto run = [&](int i) {
    counters[i].hit();
    counters[0].miss();
  };
  std::thread first(run, 0), second(run, 1);
  first.join();
  second.join();
  assert(counters[0].misses == 2);
}
