// expect: verdict=verified
// expect: case=function verdict=verified cflags=-DFUNCTION
// expect: case=virtual verdict=verified cflags=-DVIRTUAL
// expect: case=optional verdict=verified cflags=-DOPTIONAL
// Loops that wait by calls: of a function that holds a shared pointer for a moment, which counts up and down, of a std::function, of a
// virtual function, of one that returns an optional.
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <functional>
#include <memory>
#include <optional>

static auto flag = std::make_shared<std::atomic<bool>>(false);

struct Condition {
  virtual ~Condition() = default;
  [[nodiscard]] virtual bool holds() const = 0;
};
struct FlagIsSet : Condition {
  [[nodiscard]] bool holds() const override { return flag->load(); }
};

[[gnu::noinline]] static bool held_for_a_moment() {
  const std::shared_ptr<std::atomic<bool>> held = flag;
  return held->load();
}
[[gnu::noinline]] static std::optional<int> value() { return flag->load() ? std::optional<int>(1) : std::nullopt; }

static void* waiter(void* unused) {
#ifdef FUNCTION
  const std::function<bool()> condition = [] { return flag->load(); };
  while (!condition()) {
  }
#elif defined VIRTUAL
  const std::unique_ptr<Condition> condition(new FlagIsSet);
  while (!condition->holds()) {
  }
#elif defined OPTIONAL
  while (!value()) {
  }
#else
  while (!held_for_a_moment()) {
  }
#endif
  return unused;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, waiter, nullptr);
  flag->store(true);
  pthread_join(thread, nullptr);
  return 0;
}
