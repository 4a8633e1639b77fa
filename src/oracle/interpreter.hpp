// Executes a model program, one transition at a time, with the operations and the rules of the real runtime.
//
// Guarantees: a value, so copying it forks the execution; exactly the operations of hooks/operations.def, with their
// alternatives, outcome flags, footprints and enabledness; ends of executions as SEMANTICS E says. Written to be obviously
// right, not fast. Deliberately unknown here: searches, schedules; dependence, except for the clock.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/execution.hpp"
#include "oracle/model.hpp"

namespace inspect::oracle {

class Interpreter {
 public:
  explicit Interpreter(const ModelProgram& program);

  [[nodiscard]] ThreadSet enabled() const;
  // The next operation of an existing thread, with its enabled alternatives.
  [[nodiscard]] Pending pending(ThreadId t) const;
  [[nodiscard]] bool can_take(Choice c) const;
  // Takes an enabled transition.
  Event step(Choice c);

  // Nothing is enabled, or a bug ended the execution.
  [[nodiscard]] bool ended() const { return bug_ != INSPECT_BUG_NONE || enabled().empty(); }
  // How it ended; ended() must hold. `events` and `known` are left empty.
  [[nodiscard]] Execution end() const;
  // Hash of everything that can influence what happens next, and of what each thread has read: equal hashes, equal futures.
  [[nodiscard]] std::uint64_t state_hash() const;
  // Everything that can influence what happens next, and nothing else: equal identities, equal futures.
  [[nodiscard]] StateId state() const;
  // The state with threads renamed, order[i] to i. Instead of a thread's place, the code that it has still to run counts; the
  // order of joins in a row does not.
  using Order = std::array<ThreadId, kModelThreads>;
  [[nodiscard]] StateId state_renamed(const Order& order) const;
  // Pairs of threads whose swap leads to the same state.
  [[nodiscard]] std::vector<SymmetricPair> symmetric_pairs() const;
  // For an execution that has ended: equal for ends that differ only by names of threads.
  [[nodiscard]] std::uint64_t end_but_for_names() const;
  // What a thread is about to do and all it has to go by, but the state of others.
  [[nodiscard]] std::uint64_t view(ThreadId t) const;
  // Where it is in its code, and what it knows.
  [[nodiscard]] std::uint64_t knowledge(ThreadId t) const;
  // What each thread did and read, in its own order, and how the execution ended.
  [[nodiscard]] std::uint64_t history_hash() const;

  // The operation of an instruction that is not a local one, before its outcome is known.
  static Operation operation_of(const Instruction& i, std::uint32_t site);
  static bool reads_clock(const Operation& o);

 private:
  enum class Phase : std::uint8_t {
    absent,
    starting,
    running,
    waiting,
    waking,
    arrived,  // a preferred writer that waits for the lock
    leaving,  // the same, after a time-out
    at_barrier,
    at_futex,
    spinning,
    assumed_away,
    ending,  // was the first to call exit, and has handlers to run
    exiting,
    done
  };
  struct Thread {
    Phase phase = Phase::absent;
    std::uint8_t pc = 0;
    bool signalled = false, timed_out = false, round_complete = false, serial = false;
    std::array<std::int16_t, kRegisters> registers{};
    std::uint16_t clock = 0;
    std::uint64_t history = 0;
  };
  struct RwLock {
    std::int8_t writer = -1;
    std::array<std::uint8_t, kModelThreads> depth{};  // how often each thread holds it for reading
    std::uint8_t waiting = 0;                         // preferred writers that have arrived, a bit each
    [[nodiscard]] bool is_read() const;
    [[nodiscard]] bool open_to_readers() const { return writer < 0 && !waiting; }
    [[nodiscard]] bool open_to_writer() const { return writer < 0 && !is_read(); }
  };
  static constexpr unsigned kFileBytes = 8;
  // One file, opened twice: two offsets.
  struct File {
    std::array<std::uint8_t, kFileBytes> bytes{};
    std::uint8_t length = 0;
    std::array<std::uint8_t, kFiles> offset{};
  };

  [[nodiscard]] const Instruction* instruction(ThreadId t) const;
  [[nodiscard]] Operation operation(ThreadId t) const;
  [[nodiscard]] ThreadSet alternatives(ThreadId t) const;
  [[nodiscard]] ThreadSet alternatives_of(const Instruction& i, ThreadId t) const;
  [[nodiscard]] bool waits_with_time_limit(ThreadId t) const;
  [[nodiscard]] ThreadSet waiters(unsigned cond) const;
  [[nodiscard]] ThreadSet enabled_but_the_end() const;

  void perform(ThreadId t, std::uint16_t alternative, Event& e);
  void perform_instruction(ThreadId t, const Instruction& i, std::uint16_t alternative, Event& e);
  void perform_mutex(ThreadId t, const Instruction& i, std::uint16_t alternative, Event& e);
  void perform_condition(ThreadId t, const Instruction& i, std::uint16_t alternative, Event& e);
  void perform_rwlock(ThreadId t, const Instruction& i, Event& e);
  void take_mutex(ThreadId t, unsigned mutex);
  bool give_mutex_back(unsigned mutex);  // gives back one level; false if the owner still holds the mutex
  [[nodiscard]] bool asks_for_owner(unsigned mutex) const;
  [[nodiscard]] bool lock_returns(ThreadId t, unsigned mutex) const;
  void settle_for_owner(ThreadId t, const Instruction& i, Operation& o) const;
  [[nodiscard]] bool arrives(ThreadId t, const Instruction& i) const;
  [[nodiscard]] ThreadSet alternatives_of_rwlock(const Instruction& i, ThreadId t) const;
  static int sync_object(const Instruction& i);
  [[nodiscard]] bool is_destroyed(const Instruction& i) const;
  void perform_lifetime(ThreadId t, const Instruction& i);
  void perform_once(ThreadId t, const Instruction& i, Event& e);
  [[nodiscard]] ThreadSet futex_waiters(unsigned cell) const;
  [[nodiscard]] ThreadSet alternatives_of_futex(const Instruction& i) const;
  void perform_futex(ThreadId t, const Instruction& i, std::uint16_t alternative, Event& e);
  void perform_spin(ThreadId t, const Instruction& i, Event& e);
  [[nodiscard]] ThreadSet alternatives_of_environment(const Instruction& i) const;
  void perform_environment(const Instruction& i, ThreadId t, Event& e);
  void perform_threads(ThreadId t, const Instruction& i, Event& e);
  void perform_semaphore(ThreadId t, const Instruction& i, Event& e);
  void perform_barrier(ThreadId t, std::uint16_t alternative);
  void perform_memory(ThreadId t, const Instruction& i, Operation& o, std::uint64_t& read, std::uint64_t& written);
  void perform_free(ThreadId t, const Instruction& i);
  void perform_section(ThreadId t, const Instruction& i, Event& e);
  void perform_exit(ThreadId t, int status, Event& e);
  void pass_clock(ThreadId t, const Operation& o);
  [[nodiscard]] std::uint64_t clocks_hash() const;
  bool perform_local(ThreadId t, const Instruction& i);
  void run_local(ThreadId t);
  void fail(ThreadId t, inspect_bug bug, const char* message);
  void set(ThreadId t, const Instruction& i, int value) { threads_[t].registers[i.reg] = static_cast<std::int16_t>(value); }
  [[nodiscard]] bool swap_of_threads_is_enough(ThreadId a, ThreadId b) const;
  // Calls add(value) for all of the state but threads and cells, with thread t under the name place[t].
  template <class F>
  void for_each_word(const Order& place, F&& add) const;
  static Order names();
  [[nodiscard]] bool goes_on(ThreadId t) const;
  [[nodiscard]] bool is_live(ThreadId t, unsigned reg) const;
  [[nodiscard]] std::uint32_t site(ThreadId t) const { return 1u + 64u * t + threads_[t].pc; }

  const ModelProgram* program_;
  std::array<Thread, kModelThreads> threads_{};
  std::array<ThreadSet, kModelThreads> reported_{};  // alternatives as last reported
  std::array<std::int8_t, kLocks> owner_{};
  std::array<std::uint8_t, kLocks> levels_{};  // how often the owner holds it
  std::array<RwLock, kRwLocks> rwlocks_{};
  std::array<std::uint8_t, kSemaphores> semaphores_{};
  std::array<std::int16_t, kCells> cells_{};
  std::array<bool, kCells / kCellsPerBlock> freed_{};
  bool uses_clock_ = false;
  // Operations done, each with its thread's clock at that time; only if uses_clock_.
  std::vector<std::pair<Operation, std::uint16_t>> past_;
  std::uint16_t destroyed_ = 0;              // a bit for each object, by sync_object()
  std::array<std::uint8_t, kOnces> once_{};  // 0: not done, 1: done, 2 + t: t does it
  File file_{};
  std::array<std::int8_t, kPipes> pipes_{};  // 0: empty, else the value + 1
  bool signalled_ = false;                   // the signal is pending
  std::uint8_t handlers_status_ = 0;         // exit status that the handlers will set; 0: they do not change it
  bool uses_handlers_ = false, gone_matters_ = false;
  std::uint8_t gone_ = 0;     // joined or detached threads, a bit each; only if gone_matters_
  std::uint8_t arrived_ = 0;  // at the barrier, in this round
  std::int8_t exiting_ = -1;  // the first thread that called exit
  std::int8_t status_ = 0;
  bool finished_ = false;  // ProcessEnd was taken
  inspect_bug bug_ = INSPECT_BUG_NONE;
  std::uint32_t bug_site_ = 0;
  ThreadId bug_thread_ = 0;
  const char* bug_message_ = "";
};

template <class F>
void Interpreter::for_each_word(const Order& place, F&& add) const {
  const auto name = [&](int t) { return t < 0 ? 255u : unsigned{place[static_cast<unsigned>(t)]}; };
  const auto renamed = [&](std::uint8_t threads) {
    std::uint64_t set = 0;
    for (unsigned t = 0; t < kModelThreads; ++t)
      if (threads >> t & 1) set |= 1ull << place[t];
    return set;
  };
  for (unsigned m = 0; m < kLocks; ++m) add(name(owner_[m]) | std::uint64_t{levels_[m]} << 8);
  for (const RwLock& l : rwlocks_) {
    std::uint64_t depths = 0;
    for (unsigned t = 0; t < kModelThreads; ++t) depths |= std::uint64_t{l.depth[t]} << 4 * place[t];
    add(name(l.writer) | renamed(l.waiting) << 8 | depths << 16);
  }
  for (const std::uint8_t s : semaphores_) add(s);
  for (const std::uint8_t o : once_) add(o < 2 ? o : 2 + name(o - 2));
  for (const std::uint8_t b : file_.bytes) add(b);
  for (const std::uint8_t o : file_.offset) add(o | std::uint64_t{file_.length} << 8);
  for (const std::int8_t p : pipes_) add(static_cast<std::uint8_t>(p));
  add(destroyed_ | renamed(gone_) << 16 | std::uint64_t{signalled_} << 32 | std::uint64_t{handlers_status_} << 40);
  add(renamed(arrived_));
}

// Mixes a value into a hash.
inline std::uint64_t mix(std::uint64_t h, std::uint64_t value) {
  h = (h ^ value) * 0x9E3779B97F4A7C15ull;
  h ^= h >> 29;
  h *= 0xBF58476D1CE4E5B9ull;
  return h ^ (h >> 32);
}

}  // namespace inspect::oracle
