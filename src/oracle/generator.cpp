#include "oracle/generator.hpp"

#include <algorithm>

namespace inspect::oracle {

namespace {

enum class Theme {
  memory,
  mutex,
  condition,
  rwlock,
  semaphore,
  barrier,
  section,
  release,
  choice,
  exit,
  once,
  futex,
  loop,
  file,
  pipe,
  signal,
  handlers,
  thread,
  lifetime,
  count
};

class Generator {
 public:
  enum class Mostly { anything, waits, exchanges };
  explicit Generator(std::uint64_t seed, Mostly mostly = Mostly::anything)
      : random_(seed), kinds_(seed * 5 + 3), mostly_(mostly) {}

  ModelProgram program() {
    const unsigned workers = 1 + random_.below(3);
    program_.threads.resize(workers + 1);
    for (std::uint8_t& s : program_.semaphores) s = static_cast<std::uint8_t>(random_.below(2));
    program_.barrier_size = static_cast<std::uint8_t>(2 + random_.below(2));
    program_.main_returns = random_.chance(25);
    program_.spurious_wakeups = random_.chance(15);
    if (random_.chance(50)) program_.prefers_writers = static_cast<std::uint8_t>(1 + random_.below(3));
    if (kinds_.chance(12)) program_.recursive = static_cast<std::uint8_t>(1 + kinds_.below(3));
    if (kinds_.chance(12)) program_.checking = static_cast<std::uint8_t>((1 + kinds_.below(3)) & ~program_.recursive);
    for (unsigned i = 1 + random_.below(3); i-- > 0;) themes_.push_back(static_cast<Theme>(random_.below(kThemes)));
    if (mostly_ == Mostly::waits) themes_ = {Theme::loop, Theme::loop, Theme::memory, themes_[0]};
    if (mostly_ == Mostly::exchanges)
      themes_ = {Theme::memory, Theme::memory, Theme::memory,
                 random_.chance(30)   ? Theme::mutex
                 : random_.chance(50) ? Theme::once
                                      : Theme::memory};
    if (random_.chance(50)) themes_.push_back(Theme::memory);
    cells_ = 1 + random_.below(3);
    budget_ = workers == 3 ? 3 : workers == 2 ? 5 : 6;
    const bool grandchild = workers >= 2 && random_.chance(20);  // the last worker is created by the first
    for (unsigned t = 1; t <= workers; ++t) worker(t, grandchild && t == 1 ? workers : 0);
    main(grandchild ? workers - 1 : workers);
    return std::move(program_);
  }

 private:
  static constexpr unsigned kThemes = static_cast<unsigned>(Theme::count);
  using List = std::vector<Instruction>;

  void main(unsigned created) {
    List& list = program_.threads[0];
    if (random_.chance(20)) piece(list);
    for (unsigned t = 1; t <= created; ++t) {
      list.push_back({.code = Code::create, .object = static_cast<std::uint8_t>(t)});
      if (random_.chance(10)) piece(list);
    }
    if (random_.chance(50)) body(list, 1 + random_.below(2));
    if (!random_.chance(40)) return;
    for (unsigned t = 1; t <= created; ++t)
      if (random_.chance(80)) list.push_back({.code = Code::join, .object = static_cast<std::uint8_t>(t)});
    if (random_.chance(50)) body(list, 1);
  }

  void worker(unsigned t, unsigned creates) {
    List& list = program_.threads[t];
    body(list, 1 + random_.below(budget_ / 2));
    if (!creates) return;
    list.push_back({.code = Code::create, .object = static_cast<std::uint8_t>(creates)});
    if (random_.chance(30)) list.push_back({.code = Code::join, .object = static_cast<std::uint8_t>(creates)});
    if (random_.chance(50)) piece(list);
  }

  void body(List& list, unsigned pieces) {
    while (pieces-- > 0 && list.size() < budget_ + 2) piece(list);
  }

  void piece(List& list) {
    const Theme theme = themes_[random_.below(static_cast<std::uint32_t>(themes_.size()))];
    switch (theme) {
      case Theme::memory:
        return memory(list);
      case Theme::mutex:
        return critical(list);
      case Theme::condition:
        return condition(list);
      case Theme::rwlock:
        return rwlock(list);
      case Theme::semaphore:
        return semaphore(list);
      case Theme::barrier:
        list.push_back({.code = Code::barrier, .reg = reg()});
        if (random_.chance(40)) test(list, list.back().reg);
        return;
      case Theme::section:
        return section(list);
      case Theme::release:
        if (random_.chance(60)) return memory(list);
        list.push_back({.code = Code::free, .object = cell()});
        return;
      case Theme::choice:
        list.push_back({.code = Code::choose, .reg = reg(), .value = static_cast<std::int8_t>(2 + random_.below(2))});
        if (random_.chance(60))
          list.push_back({.code = Code::store_register, .object = cell(), .reg = list.back().reg});
        else
          test(list, list.back().reg);
        return;
      case Theme::exit:
        if (random_.chance(70)) return memory(list);
        return exit(list);
      default:
        return rare_piece(theme, list);
    }
  }

  void rare_piece(Theme theme, List& list) {
    switch (theme) {
      case Theme::once:
        return once(list);
      case Theme::futex:
        return futex(list);
      case Theme::loop:
        if (random_.chance(10)) list.push_back({.code = Code::fence});
        if (random_.chance(55)) return memory(list);
        list.push_back({.code = kinds_.chance(60) ? Code::await : Code::spin,
                        .object = cell(),
                        .value = static_cast<std::int8_t>(random_.below(2))});
        return;
      case Theme::file:
        return one_of(list, {Code::read_file, Code::write_file}, 2);
      case Theme::pipe:
        return one_of(list, {Code::read_pipe, Code::write_pipe, Code::write_pipe}, kPipes);
      case Theme::signal:
        return one_of(list, {Code::send_signal, Code::send_signal, Code::take_signal}, 1);
      case Theme::handlers:
        if (random_.chance(30)) return exit(list);
        return one_of(list, {Code::at_exit}, 1);
      case Theme::thread:
        return one_of(list, {Code::try_join, Code::try_join, Code::try_join, Code::detach, Code::join}, kModelThreads / 2);
      default:
        return lifetime(list);
    }
  }

  void exit(List& list) { list.push_back({.code = Code::exit, .value = static_cast<std::int8_t>(random_.below(3))}); }

  void one_of(List& list, std::initializer_list<Code> codes, unsigned objects) {
    const Code code = codes.begin()[random_.below(static_cast<std::uint32_t>(codes.size()))];
    list.push_back({.code = code, .object = static_cast<std::uint8_t>(random_.below(objects)), .reg = reg(), .value = value()});
    const bool returns = code == Code::read_file || code == Code::read_pipe || code == Code::try_join;
    if (returns && random_.chance(40)) test(list, list.back().reg);
  }

  void once(List& list) {
    const auto o = static_cast<std::uint8_t>(random_.below(2));
    const std::size_t jump = list.size();
    list.push_back({.code = Code::once, .object = o});
    if (random_.chance(70)) inside(list);
    const bool aborts = mostly_ == Mostly::exchanges && random_.chance(30);
    if (!random_.chance(5)) list.push_back({.code = aborts ? Code::once_abort : Code::once_done, .object = o});
    list[jump].target = static_cast<std::uint8_t>(list.size());
  }

  void futex(List& list) {
    const std::uint8_t x = cell();
    if (random_.chance(50)) {
      list.push_back({.code = random_.chance(30) ? Code::futex_timed_wait : Code::futex_wait,
                      .object = x,
                      .reg = reg(),
                      .value = static_cast<std::int8_t>(random_.below(5) / 4)});
      if (random_.chance(40)) test(list, list.back().reg);
      return;
    }
    if (random_.chance(40)) list.push_back({.code = Code::store, .object = x, .value = value()});
    list.push_back(
        {.code = Code::futex_wake, .object = x, .reg = reg(), .value = static_cast<std::int8_t>(1 + random_.below(2))});
  }

  // Destroys an object, or uses one that other threads may destroy.
  void lifetime(List& list) {
    const auto l = static_cast<std::uint8_t>(random_.below(2));
    switch (random_.below(8)) {
      case 0:
        list.push_back({.code = Code::destroy_mutex, .object = l});
        if (random_.chance(70)) list.push_back({.code = Code::init_mutex, .object = l});
        return;
      case 1:
        list.push_back({.code = Code::destroy_rwlock, .object = l});
        return;
      case 2:
        list.push_back({.code = Code::destroy_semaphore, .object = l});
        return;
      case 3:
        list.push_back({.code = Code::destroy_condition, .object = l});
        return;
      case 4:
        if (random_.chance(60)) list.push_back({.code = Code::barrier, .reg = reg()});
        if (random_.chance(60)) list.push_back({.code = Code::destroy_barrier});
        return;
      case 5:
        return semaphore(list);
      case 6:
        return rwlock(list);
      default:
        return random_.chance(50) ? critical(list) : condition(list);
    }
  }

  void memory(List& list) {
    static constexpr Code codes[] = {Code::load,
                                     Code::load,
                                     Code::store,
                                     Code::store,
                                     Code::add,
                                     Code::fetch_add,
                                     Code::exchange,
                                     Code::compare_exchange,
                                     Code::compare_exchange,
                                     Code::read,
                                     Code::write,
                                     Code::wide_load,
                                     Code::wide_store};
    static constexpr Code exchanges[] = {Code::compare_exchange,
                                         Code::compare_exchange,
                                         Code::compare_exchange,
                                         Code::compare_exchange,
                                         Code::load,
                                         Code::store,
                                         Code::exchange,
                                         Code::fetch_add,
                                         Code::add,
                                         Code::wide_load};
    const Instruction i = access(mostly_ == Mostly::exchanges ? exchanges[random_.below(std::size(exchanges))]
                                                              : codes[random_.below(std::size(codes))]);
    list.push_back(i);
    const bool returns = i.code == Code::load || i.code == Code::fetch_add || i.code == Code::exchange ||
                         i.code == Code::compare_exchange || i.code == Code::read || i.code == Code::wide_load;
    if (returns && random_.chance(40)) test(list, i.reg);
  }

  Instruction access(Code code) {
    return {
        .code = code, .object = cell(), .reg = reg(), .value = value(), .expected = static_cast<std::int8_t>(random_.below(2))};
  }

  // An instruction that depends on a value read.
  void test(List& list, std::uint8_t r) {
    const std::uint32_t what = random_.below(100);
    const auto v = static_cast<std::int8_t>(random_.below(2));
    if (what < 15) {
      list.push_back({.code = Code::require, .reg = r, .value = static_cast<std::int8_t>(random_.below(4))});
    } else if (what < 30) {
      list.push_back({.code = Code::assume, .reg = r, .value = v});
    } else {
      const std::size_t jump = list.size();
      list.push_back({.code = random_.chance(50) ? Code::jump_if : Code::jump_unless, .reg = r, .value = v});
      if (list.size() < budget_ + 3) piece(list);
      list[jump].target = static_cast<std::uint8_t>(list.size());
    }
  }

  void critical(List& list) {
    const auto m = static_cast<std::uint8_t>(random_.below(2));
    static constexpr Code codes[] = {Code::lock, Code::lock, Code::try_lock, Code::timed_lock};
    const Code code = codes[random_.below(4)];
    const std::uint8_t r = reg();
    list.push_back({.code = code, .object = m, .reg = r});
    const std::size_t jump = list.size();
    if (code != Code::lock) list.push_back({.code = Code::jump_if, .reg = r, .value = 0});
    if (random_.chance(70)) inside(list);
    if (((program_.recursive | program_.checking) >> m & 1) && random_.chance(50)) again(list, m);
    if (!random_.chance(3)) list.push_back({.code = Code::unlock, .object = m});
    if (code != Code::lock) list[jump].target = static_cast<std::uint8_t>(list.size());
  }

  // The owner locks a second time.
  void again(List& list, std::uint8_t m) {
    static constexpr Code codes[] = {Code::lock, Code::lock, Code::try_lock, Code::timed_lock};
    list.push_back({.code = codes[random_.below(4)], .object = m, .reg = reg()});
    if (random_.chance(50)) memory(list);
    if (program_.recursive >> m & 1) list.push_back({.code = Code::unlock, .object = m});
  }

  void inside(List& list) {
    if (list.size() < budget_ + 2 && random_.chance(30))
      piece(list);
    else
      memory(list);
  }

  void condition(List& list) {
    const auto m = static_cast<std::uint8_t>(random_.below(2)), c = static_cast<std::uint8_t>(random_.below(2));
    if (random_.chance(50)) {
      list.push_back({.code = Code::lock, .object = m});
      if (random_.chance(30)) memory(list);
      list.push_back({.code = random_.chance(30) ? Code::timed_wait : Code::wait, .object = c, .other = m, .reg = reg()});
      if (random_.chance(20)) memory(list);
      list.push_back({.code = Code::unlock, .object = m});
      return;
    }
    const bool locked = random_.chance(50);
    if (locked) list.push_back({.code = Code::lock, .object = m});
    if (random_.chance(30)) memory(list);
    list.push_back({.code = random_.chance(65) ? Code::signal : Code::broadcast, .object = c});
    if (locked) list.push_back({.code = Code::unlock, .object = m});
  }

  void rwlock(List& list) {
    const auto l = static_cast<std::uint8_t>(random_.below(2));
    static constexpr Code codes[] = {Code::read_lock,       Code::read_lock,        Code::write_lock,
                                     Code::write_lock,      Code::try_read_lock,    Code::try_write_lock,
                                     Code::timed_read_lock, Code::timed_write_lock, Code::timed_write_lock};
    const Code code = codes[random_.below(std::size(codes))];
    const std::uint8_t r = reg();
    const bool may_fail = code != Code::read_lock && code != Code::write_lock;
    list.push_back({.code = code, .object = l, .reg = r});
    const std::size_t jump = list.size();
    if (may_fail) list.push_back({.code = Code::jump_if, .reg = r, .value = 0});
    if (random_.chance(60)) inside(list);
    list.push_back({.code = Code::rw_unlock, .object = l});
    if (may_fail) list[jump].target = static_cast<std::uint8_t>(list.size());
  }

  void semaphore(List& list) {
    static constexpr Code codes[] = {Code::sem_wait, Code::sem_wait,     Code::sem_post,       Code::sem_post,
                                     Code::sem_post, Code::sem_try_wait, Code::sem_timed_wait, Code::sem_value};
    const Code code = codes[random_.below(std::size(codes))];
    list.push_back({.code = code, .object = static_cast<std::uint8_t>(random_.below(2)), .reg = reg()});
    if (code != Code::sem_wait && code != Code::sem_post && random_.chance(50)) test(list, list.back().reg);
  }

  void section(List& list) {
    static constexpr Code codes[] = {Code::load, Code::store, Code::add, Code::fetch_add, Code::compare_exchange,
                                     Code::read, Code::write};
    if (random_.chance(30)) return memory(list);
    const std::size_t begin = list.size();
    list.push_back({.code = Code::section});
    for (unsigned n = 1 + random_.below(2); n-- > 0;) {
      list.push_back(access(codes[random_.below(std::size(codes))]));
      if (n > 0 && random_.chance(40)) {
        list.push_back({.code = Code::jump_unless, .reg = list.back().reg, .value = 0});
        list.back().target = static_cast<std::uint8_t>(list.size() + 1);
      }
    }
    list[begin].value = static_cast<std::int8_t>(list.size() - begin - 1);
  }

  std::uint8_t cell() { return static_cast<std::uint8_t>(random_.below(cells_)); }
  std::uint8_t reg() { return static_cast<std::uint8_t>(random_.below(kRegisters)); }
  std::int8_t value() { return static_cast<std::int8_t>(random_.below(3)); }

  Random random_;
  Random kinds_;  // of mutexes, and of loops that wait
  Mostly mostly_;
  ModelProgram program_;
  std::vector<Theme> themes_;
  unsigned cells_ = 1, budget_ = 4;
};

void remove_instruction(std::vector<Instruction>& list, std::size_t at) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
  for (std::size_t k = 0; k < list.size(); ++k) {
    Instruction& i = list[k];
    if (is_jump(i) && i.target > at) --i.target;
    if (i.code == Code::section && k < at && at <= k + static_cast<std::size_t>(i.value)) --i.value;
  }
}

bool runs_forward(const ModelProgram& p) {
  for (const auto& list : p.threads)
    for (std::size_t k = 0; k < list.size(); ++k)
      if (is_jump(list[k]) && list[k].target <= k) return false;
  return true;
}

}  // namespace

ModelProgram random_program(std::uint64_t seed) { return Generator(seed).program(); }

ModelProgram waiting_program(std::uint64_t seed) { return Generator(seed, Generator::Mostly::waits).program(); }

ModelProgram exchanging_program(std::uint64_t seed) { return Generator(seed, Generator::Mostly::exchanges).program(); }

ModelProgram symmetric_program(std::uint64_t seed) {
  ModelProgram p = random_program(seed);
  Random random(seed * 2 + 1);
  const std::size_t n = p.threads.size();
  if (n < 3) return p;
  // Other threads get the code of thread 1, in which nothing names a thread.
  auto& worker = p.threads[1];
  for (Instruction& i : worker)
    if (i.code == Code::create || i.code == Code::join || i.code == Code::try_join || i.code == Code::detach)
      i = Instruction{.code = Code::add, .object = 0, .value = 1};
  for (std::size_t t = 2; t < n; ++t)
    if (t == 2 || random.below(2)) p.threads[t] = worker;
  auto& main = p.threads[0];
  main.clear();
  for (std::size_t t = 1; t < n; ++t) main.push_back({.code = Code::create, .object = static_cast<std::uint8_t>(t)});
  if (random.below(4) == 0) return p;
  for (std::size_t t = 1; t < n; ++t) {
    main.push_back({.code = Code::join, .object = static_cast<std::uint8_t>(t)});
    if (random.below(4) == 0) main.push_back({.code = Code::load, .object = 0});
  }
  return p;
}

ModelProgram shrink(ModelProgram program, const std::function<bool(const ModelProgram&)>& fails) {
  const auto accept = [&](ModelProgram smaller) {
    if (!runs_forward(smaller) || !fails(smaller)) return false;
    program = std::move(smaller);
    return true;
  };
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t t = 0; t < program.threads.size(); ++t)
      for (std::size_t i = program.threads[t].size(); i-- > 0;) {
        ModelProgram smaller = program;
        remove_instruction(smaller.threads[t], i);
        progress |= accept(std::move(smaller));
      }
    for (std::uint8_t ModelProgram::* locks :
         {&ModelProgram::prefers_writers, &ModelProgram::recursive, &ModelProgram::checking}) {
      if (!(program.*locks)) continue;
      ModelProgram smaller = program;
      smaller.*locks = 0;
      progress |= accept(std::move(smaller));
    }
    for (bool ModelProgram::* flag : {&ModelProgram::main_returns, &ModelProgram::spurious_wakeups}) {
      if (!(program.*flag)) continue;
      ModelProgram smaller = program;
      smaller.*flag = false;
      progress |= accept(std::move(smaller));
    }
    while (program.threads.size() > 1 && program.threads.back().empty()) {
      ModelProgram smaller = program;
      smaller.threads.pop_back();
      if (!accept(std::move(smaller))) break;
      progress = true;
    }
  }
  return program;
}

}  // namespace inspect::oracle
