// Random programs for tests of the search for data races.
#include "oracle/generator.hpp"

namespace inspect::oracle {

namespace {

class LockingGenerator {
 public:
  explicit LockingGenerator(std::uint64_t seed) : random_(seed * 0x9E37 + 17) {}

  ModelProgram program() {
    const unsigned workers = 2 + random_.below(5) / 4;
    program_.threads.resize(workers + 1);
    program_.barrier_size = 2;
    program_.semaphores[0] = static_cast<std::uint8_t>(random_.below(2));
    const unsigned pieces = workers == 2 ? 2 : 1;
    others_ = random_.chance(30);
    clocks_ = random_.chance(12);
    for (unsigned t = 1; t <= workers; ++t) body(program_.threads[t], 1 + random_.below(pieces + 1));
    if (random_.chance(15)) release(program_.threads[1], program_.threads[2]);
    List& main = program_.threads[0];
    if (random_.chance(30)) access(main);
    for (unsigned t = 1; t <= workers; ++t) main.push_back({.code = Code::create, .object = static_cast<std::uint8_t>(t)});
    if (random_.chance(15)) body(main, 1);
    if (random_.chance(50)) {
      for (unsigned t = 1; t <= workers; ++t)
        if (random_.chance(85)) main.push_back({.code = Code::join, .object = static_cast<std::uint8_t>(t)});
      body(main, 1);
    }
    return std::move(program_);
  }

 private:
  using List = std::vector<Instruction>;

  void body(List& list, unsigned pieces) {
    while (pieces-- > 0) {
      if (clocks_) list.push_back({.code = Code::clock, .reg = reg(), .value = value()});
      if (random_.chance(25))
        branch(list, [&] { critical(list); });
      else
        critical(list);
    }
  }

  std::uint8_t cell() { return static_cast<std::uint8_t>(random_.below(3)); }
  std::uint8_t reg() { return static_cast<std::uint8_t>(random_.below(2)); }
  std::int8_t value() { return static_cast<std::int8_t>(random_.below(2)); }

  void access(List& list) {
    if (random_.chance(50))
      list.push_back({.code = Code::read, .object = cell(), .reg = reg()});
    else
      list.push_back({.code = Code::write, .object = cell(), .value = static_cast<std::int8_t>(1 + random_.below(2))});
  }

  // A jump over what `then` adds, depending on a register.
  template <class F>
  void branch(List& list, F&& then) {
    const std::size_t jump = list.size();
    list.push_back({.code = random_.chance(60) ? Code::jump_if : Code::jump_unless, .reg = reg(), .value = value()});
    then();
    list[jump].target = static_cast<std::uint8_t>(list.size());
  }

  void inside(List& list) {
    for (unsigned n = 1 + random_.below(2); n-- > 0;) {
      if (random_.chance(35))
        branch(list, [&] { access(list); });
      else
        access(list);
    }
  }

  void critical(List& list) {
    const auto lock = static_cast<std::uint8_t>(random_.below(2));
    if (others_ && random_.chance(50)) return other(list, lock);
    if (random_.chance(12)) return inside(list);
    list.push_back({.code = Code::lock, .object = lock});
    inside(list);
    if (random_.chance(12)) {  // given back and taken again on one side only
      branch(list, [&] {
        list.push_back({.code = Code::unlock, .object = lock});
        list.push_back({.code = Code::lock, .object = lock});
      });
      inside(list);
    }
    if (random_.chance(10)) {  // given back early on one side
      list.push_back({.code = Code::jump_if, .reg = 0, .value = value(), .target = static_cast<std::uint8_t>(list.size() + 3)});
      list.push_back({.code = Code::unlock, .object = lock});
      access(list);
      list.push_back({.code = Code::jump_if, .reg = 2, .value = 0, .target = static_cast<std::uint8_t>(list.size() + 2)});
    }
    list.push_back({.code = Code::unlock, .object = lock});
  }

  // One thread frees what others use. Either under a lock or without one; or after a failed attempt on a lock that another
  // thread takes only after its accesses. Such an attempt orders nothing, so there is a race, but no execution shows a use of
  // freed memory.
  void release(List& one, List& other) {
    const Instruction free{.code = Code::free, .object = 2};
    constexpr std::uint8_t held = 2;
    if (random_.chance(60)) {
      one.push_back({.code = Code::lock, .object = held});
      if (random_.chance(50)) critical(one);
      one.push_back({.code = Code::unlock, .object = held});
      other.push_back({.code = Code::try_lock, .object = held, .reg = 1});
      const auto at = static_cast<std::uint8_t>(other.size());
      other.push_back({.code = Code::jump_if, .reg = 1, .value = 1, .target = static_cast<std::uint8_t>(at + 3)});
      other.push_back(free);
      other.push_back({.code = Code::jump_if, .reg = 1, .value = 0, .target = static_cast<std::uint8_t>(at + 4)});
      other.push_back({.code = Code::unlock, .object = held});
      return;
    }
    const auto lock = static_cast<std::uint8_t>(random_.below(2));
    const bool locked = random_.chance(50);
    if (locked) other.push_back({.code = Code::lock, .object = lock});
    branch(other, [&] { other.push_back(free); });
    if (locked) other.push_back({.code = Code::unlock, .object = lock});
  }

  void other(List& list, std::uint8_t lock) {
    switch (random_.below(7)) {
      case 0:
        list.push_back({.code = Code::read_lock, .object = lock});
        inside(list);
        list.push_back({.code = Code::rw_unlock, .object = lock});
        return;
      case 1:
        list.push_back({.code = Code::write_lock, .object = lock});
        inside(list);
        list.push_back({.code = Code::rw_unlock, .object = lock});
        return;
      case 2:
        list.push_back({.code = Code::try_lock, .object = lock, .reg = 1});
        list.push_back({.code = Code::jump_if, .reg = 1, .value = 0, .target = static_cast<std::uint8_t>(list.size() + 3)});
        access(list);
        list.push_back({.code = Code::unlock, .object = lock});
        return;
      case 3:
        list.push_back({.code = Code::sem_wait});
        inside(list);
        list.push_back({.code = Code::sem_post});
        return;
      case 4:
        list.push_back({.code = random_.chance(50) ? Code::store : Code::load, .object = cell(), .reg = reg(), .value = 1});
        return;
      case 5:
        list.push_back({.code = Code::lock, .object = lock});
        list.push_back({.code = Code::wait, .object = 0, .other = lock});
        inside(list);
        list.push_back({.code = Code::unlock, .object = lock});
        return;
      default:
        list.push_back({.code = Code::lock, .object = lock});
        inside(list);
        list.push_back({.code = Code::signal});
        list.push_back({.code = Code::unlock, .object = lock});
        return;
    }
  }

  Random random_;
  ModelProgram program_;
  bool others_ = false, clocks_ = false;
};

}  // namespace

ModelProgram locking_program(std::uint64_t seed) { return LockingGenerator(seed).program(); }

}  // namespace inspect::oracle
