// A race between a thread and its creator in one line each, and the assertion behind it: all that is on the stack has one name there.
// expect: options="--races=report --keep-going" algorithms=dpor,source verdict=bug kind=data-race kinds=assertion,data-race
#include <cassert>
#include <thread>
// clang-format off
int main() { int count = 0; std::thread other([&] { ++count; }); ++count; other.join(); assert(count == 2); }
