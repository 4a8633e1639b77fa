// expect: verdict=verified algorithms=optimal
// expect: case=plain verdict=verified cflags=-O0 algorithms=optimal
// Waiting loops whose condition is behind a std::function, a virtual function, or a pointer to a member.
#include <atomic>
#include <functional>
#include <thread>

struct Gate {
  virtual ~Gate() = default;
  virtual bool open() const = 0;
};
struct Flag final : Gate {
  std::atomic<bool> up{false};
  bool open() const override { return up.load(); }
};

int main() {
  Flag flag;
  const Gate* gate = &flag;
  const std::function<bool()> ask = [gate] { return gate->open(); };
  bool (Gate::*const member)() const = &Gate::open;
  std::thread other([&] { flag.up = true; });
  while (!ask()) std::this_thread::yield();
  while (!gate->open()) {
  }
  while (!(gate->*member)()) {
  }
  other.join();
}
