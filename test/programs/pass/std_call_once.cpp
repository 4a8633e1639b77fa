// expect: verdict=verified
// std::call_once, once more after the first try has thrown, and a function-local static.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static int table = 0, tries = 0;
static std::once_flag flag;

static void initialise() {
  std::call_once(flag, [] {
    if (++tries == 1) throw std::runtime_error("not yet");
    table = 42;
  });
}

static int& counter() {
  static int value = 41 + tries * 0;
  return value;
}

int main() {
  auto work = [] {
    try {
      initialise();
    } catch (const std::runtime_error&) {
      initialise();
    }
    assert(table == 42);
  };
  std::thread thread(work);
  work();
  thread.join();
  assert(tries == 2 && counter() == 41);
}
