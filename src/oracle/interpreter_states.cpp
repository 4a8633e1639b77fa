// Identities of states of a model program: as they are, and but for the names of threads.
#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

#include "oracle/interpreter.hpp"
#include "search/mutation.hpp"

namespace inspect::oracle {

namespace {

bool writes_register(Code code) {
  switch (code) {
    case Code::try_lock:
    case Code::timed_lock:
    case Code::timed_wait:
    case Code::try_read_lock:
    case Code::try_write_lock:
    case Code::timed_read_lock:
    case Code::timed_write_lock:
    case Code::futex_wait:
    case Code::futex_timed_wait:
    case Code::futex_wake:
    case Code::read_file:
    case Code::read_pipe:
    case Code::try_join:
    case Code::sem_try_wait:
    case Code::sem_timed_wait:
    case Code::sem_value:
    case Code::barrier:
    case Code::load:
    case Code::fetch_add:
    case Code::exchange:
    case Code::compare_exchange:
    case Code::read:
    case Code::wide_load:
    case Code::choose:
    case Code::clock:
      return true;
    default:
      return false;
  }
}

}  // namespace

// Is the register read before it is written, from the thread's place on? Jumps lead forward, so one pass backwards is enough.
bool Interpreter::is_live(ThreadId t, unsigned reg) const {
  if (t >= program_->threads.size()) return false;
  const auto& list = program_->threads[t];
  std::vector<bool> live(list.size() + 1, false);
  for (std::size_t at = list.size(); at-- > threads_[t].pc;) {
    const Instruction& i = list[at];
    const bool jumps = is_jump(i);
    const bool reads =
        (jumps && i.code != Code::once) || i.code == Code::store_register || i.code == Code::assume || i.code == Code::require;
    live[at] = live[at + 1] || (jumps && live[i.target]);
    if (writes_register(i.code) && i.reg == reg) live[at] = false;
    if (reads && i.reg == reg) live[at] = true;
  }
  return live[threads_[t].pc];
}

// Every thread under its own name.
Interpreter::Order Interpreter::names() {
  Order order;
  std::iota(order.begin(), order.end(), ThreadId{0});
  return order;
}

std::uint64_t Interpreter::knowledge(ThreadId t) const {
  std::uint64_t h = mix(1, threads_[t].pc);
  for (const std::int16_t r : threads_[t].registers) h = mix(h, static_cast<std::uint16_t>(r));
  return h;
}

std::uint64_t Interpreter::view(ThreadId t) const {
  const Thread& x = threads_[t];
  const std::uint64_t h = mix(knowledge(t), static_cast<std::uint64_t>(x.phase) | std::uint64_t{x.clock} << 8);
  return mix(h, unsigned{x.signalled} | unsigned{x.timed_out} << 1 | unsigned{x.round_complete} << 2 | unsigned{x.serial} << 3);
}

StateId Interpreter::state() const {
  StateId id{1, 2};
  const auto add = [&](std::uint64_t value) {
    id.low = mix(id.low, value);
    id.high = mix(id.high, ~value);
  };
  for (unsigned t = 0; t < kModelThreads; ++t) {
    const Thread& thread = threads_[t];
    add(static_cast<std::uint64_t>(thread.phase) | std::uint64_t{thread.pc} << 8 | std::uint64_t{thread.signalled} << 16 |
        std::uint64_t{thread.timed_out} << 17 | std::uint64_t{thread.round_complete} << 18 |
        std::uint64_t{thread.serial} << 19);
    for (unsigned r = 0; r < kRegisters; ++r)
      if (is_live(static_cast<ThreadId>(t), r)) add(r | std::uint64_t{static_cast<std::uint16_t>(thread.registers[r])} << 8);
  }
  for_each_word(names(), add);
  for (const std::int16_t c : cells_) add(static_cast<std::uint16_t>(c));
  for (const bool f : freed_) add(f);
  if (uses_clock_) add(clocks_hash());
  add(static_cast<std::uint64_t>(exiting_ + 1) | std::uint64_t{finished_} << 8 |
      std::uint64_t{static_cast<std::uint8_t>(status_)} << 16);
  add(static_cast<std::uint64_t>(bug_) | std::uint64_t{bug_site_} << 8);
  return id;
}

namespace {

using Add = std::function<void(std::uint64_t)>;

// Adds the code that a thread has still to run. Joins that come next in a row count as a set; those of threads that have ended
// do not wait, and do not count.
void add_code(std::span<const Instruction> code, std::size_t end, bool may_join, std::uint8_t ended,
              const Interpreter::Order& place, const Add& add) {
  std::size_t at = 0;
  if (may_join) {
    std::uint64_t joined = 0;
    for (; at < code.size() && code[at].code == Code::join; ++at)
      if (!(ended >> code[at].object & 1)) joined |= 1ull << place[code[at].object];
    add(joined);
  }
  for (; at < code.size(); ++at) {
    const Instruction& i = code[at];
    const bool names = i.code == Code::join || i.code == Code::create || i.code == Code::try_join || i.code == Code::detach;
    const bool jumps = is_jump(i);
    const bool nameless = i.code == Code::join && search::mutated(search::Mutation::joins_have_no_order);
    const std::uint64_t object = nameless ? 0 : names ? place[i.object] : i.object;
    add(static_cast<std::uint64_t>(i.code) | object << 8 | std::uint64_t{i.other} << 16 | std::uint64_t{i.reg} << 24 |
        std::uint64_t{static_cast<std::uint8_t>(i.value)} << 32 | std::uint64_t{static_cast<std::uint8_t>(i.expected)} << 40);
    if (jumps) add(end - i.target);
  }
  add(code.size() - at);
}

}  // namespace

StateId Interpreter::state_renamed(const Order& order) const {
  Order place{};
  for (unsigned i = 0; i < kModelThreads; ++i) place[order[i]] = static_cast<ThreadId>(i);
  StateId id{3, 4};
  const auto add = [&](std::uint64_t value) {
    id.low = mix(id.low, value);
    id.high = mix(id.high, ~value);
  };
  std::uint8_t ended = 0;
  for (unsigned t = 0; t < kModelThreads; ++t) ended |= static_cast<std::uint8_t>((threads_[t].phase == Phase::done) << t);
  for (const ThreadId t : order) {
    const Thread& thread = threads_[t];
    add(static_cast<std::uint64_t>(thread.phase) | std::uint64_t{thread.signalled} << 16 |
        std::uint64_t{thread.timed_out} << 17 | std::uint64_t{thread.round_complete} << 18 |
        std::uint64_t{thread.serial} << 19);
    for (unsigned r = 0; r < kRegisters; ++r)
      if (is_live(t, r)) add(r | std::uint64_t{static_cast<std::uint16_t>(thread.registers[r])} << 8);
    if (t >= program_->threads.size() || thread.phase == Phase::done) continue;
    const auto code = std::span(program_->threads[t]).subspan(std::min<std::size_t>(thread.pc, program_->threads[t].size()));
    add_code(code, program_->threads[t].size(), thread.phase == Phase::running, ended, place, add);
  }
  for_each_word(place, add);
  for (const std::int16_t c : cells_) add(static_cast<std::uint16_t>(c));
  for (const bool f : freed_) add(f);
  if (uses_clock_) add(clocks_hash());
  add((exiting_ < 0 ? 255 : place[static_cast<unsigned>(exiting_)]) | std::uint64_t{finished_} << 8 |
      std::uint64_t{static_cast<std::uint8_t>(status_)} << 16 | std::uint64_t{bug_} << 24);
  if (bug_ != INSPECT_BUG_NONE) add(place[bug_thread_]);
  return id;
}

std::vector<SymmetricPair> Interpreter::symmetric_pairs() const {
  Order order = names();
  const StateId now = state_renamed(order);
  std::vector<SymmetricPair> found;
  for (ThreadId a = 1; a < kModelThreads; ++a)
    for (ThreadId b = a + 1; b < kModelThreads; ++b) {
      if (threads_[a].phase == Phase::absent || threads_[b].phase == Phase::absent) continue;
      std::swap(order[a], order[b]);
      if (swap_of_threads_is_enough(a, b) || state_renamed(order) == now) found.push_back({b, a, kMaxThreads});
      std::swap(order[a], order[b]);
    }
  return found;
}

// The deliberate error swap_of_threads_only.
bool Interpreter::swap_of_threads_is_enough(ThreadId a, ThreadId b) const {
  if (!search::mutated(search::Mutation::swap_of_threads_only) || a >= program_->threads.size() ||
      b >= program_->threads.size())
    return false;
  const Thread &x = threads_[a], &y = threads_[b];
  return x.phase == y.phase && x.pc == y.pc && program_->threads[a] == program_->threads[b] && x.registers == y.registers;
}

std::uint64_t Interpreter::end_but_for_names() const {
  Order order = names();
  const auto others = order.begin() + 1, end = order.begin() + static_cast<std::ptrdiff_t>(program_->threads.size());
  std::uint64_t least = ~0ull;
  if (others >= end) return state_renamed(order).low;
  do least = std::min(least, state_renamed(order).low);
  while (std::next_permutation(others, end));
  return least;
}

}  // namespace inspect::oracle
