// What a container consists of is raced for word by word, all in one line.
// expect: options="--races=report --keep-going" algorithms=dpor,source verdict=bug kind=data-race kinds=assertion,data-race
// expect: case=all options="--races=report --keep-going --visible=all" algorithms=dpor verdict=bug kind=data-race kinds=assertion,data-race
#include <cassert>
#include <thread>
// clang-format off
struct Stack { int *begin, *end, *limit; int& push(const int& x) { if (end != limit) { *end = x; ++end; } return *(end - 1); } };
int main() {
  int space[2];
  Stack stack{space, space, space + 2};
  std::thread other([&] { stack.push(1); }); stack.push(2); other.join(); assert(stack.end - stack.begin == 2);
}
