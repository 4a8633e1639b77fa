// Two locals of one stack are raced for, and others beside them are written in the same lines.
// expect: options="--races=report --keep-going" algorithms=dpor,source verdict=bug kind=data-race kinds=assertion,data-race
#include <cassert>
#include <thread>
// clang-format off
int main() {
  int quiet = 0, first = 0, calm = 0, second = 0;
  std::thread other([&] { ++first; ++second; });
  ++quiet; ++first; ++calm; ++second;
  other.join();
  assert(first == 2 && second == 2 && quiet == calm);
}
