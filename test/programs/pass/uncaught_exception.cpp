// expect: verdict=verified
// Caught inside the thread and handed over as a value.
#include <atomic>
#include <cassert>
#include <exception>
#include <stdexcept>
#include <thread>

int main() {
  std::atomic<int> connections = 0;
  std::exception_ptr errors[2];
  auto connect = [&](int i) {
    try {
      if (connections.fetch_add(1) == 1) throw std::runtime_error("too many");
    } catch (...) {
      errors[i] = std::current_exception();
    }
  };
  std::thread a(connect, 0), b(connect, 1);
  a.join();
  b.join();
  assert(!errors[0] != !errors[1]);
}
