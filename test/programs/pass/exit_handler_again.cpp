// expect: verdict=verified
// Every execution finds the handlers and thread-local objects that constructors left, even where a handler added others.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

static std::atomic<int> steps, last;

struct Local {
  bool used = false;
  ~Local() { ++steps; }
};
static thread_local Local local;

static void late() { ++steps; }
static void early() {
  ++steps;
  std::atexit(late);  // takes the place of `early` in the list
}
static void end() { assert(steps == 4); }

static const bool kBefore = [] {
  std::atexit(end);
  std::atexit(early);
  local.used = true;
  return local.used;
}();

int main() {
  std::thread other([] {
    last = 1;
    ++steps;
  });
  last = 2;
  other.join();
  return kBefore ? 0 : 1;
}
