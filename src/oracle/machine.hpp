// Executes a model program, one transition at a time, with the operations and the rules of the real runtime.
//
// Guarantees: a value, copying it forks the execution; the vocabulary of operations.def exactly (alternatives, outcome flags,
// footprints, what is enabled); ends of executions as SEMANTICS E says. Written to be obviously right, not fast.
// Deliberately unknown here: searches, schedules; dependence, but for what clocks say.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/execution.hpp"
#include "oracle/model.hpp"

namespace inspect::oracle {

class Machine {
 public:
  explicit Machine(const ModelProgram& program);

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
  // Everything that can influence what happens next, and what each thread has read: equal hashes, equal futures.
  [[nodiscard]] std::uint64_t state_hash() const;
  // Everything that can influence what happens next, and nothing else: equal identities, equal futures.
  [[nodiscard]] StateId state() const;
  // As it is with threads renamed, order[i] to i, and with the code that each has still to run for its place; how threads are
  // about to be joined in a row has no order.
  using Order = std::array<ThreadId, kModelThreads>;
  [[nodiscard]] StateId state_renamed(const Order& order) const;
  // Pairs of threads whose swap leads to the same state.
  [[nodiscard]] std::vector<Twin> twins() const;
  // Of an execution that ended: the same for ends that differ only by names of threads.
  [[nodiscard]] std::uint64_t end_but_for_names() const;
  // What each thread did and read, in its own order, and how the execution ended.
  [[nodiscard]] std::uint64_t history_hash() const;

  // What an instruction that is no local one does, before its outcome is known.
  static Operation operation_of(const Instruction& i, std::uint32_t site);
  static bool reads_clock(const Operation& o);

 private:
  enum class Phase : std::uint8_t { absent, starting, running, waiting, waking, at_barrier, assumed_away, exiting, done };
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
    std::uint8_t readers = 0;  // a bit a thread
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
  void perform_rwlock(ThreadId t, const Instruction& i, std::uint16_t alternative, Event& e);
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
  [[nodiscard]] bool is_live(ThreadId t, unsigned reg) const;
  [[nodiscard]] std::uint32_t site(ThreadId t) const { return 1u + 64u * t + threads_[t].pc; }

  const ModelProgram* program_;
  std::array<Thread, kModelThreads> threads_{};
  std::array<ThreadSet, kModelThreads> reported_{};  // alternatives as last reported
  std::array<std::int8_t, kLocks> owner_{};
  std::array<RwLock, kRwLocks> rwlocks_{};
  std::array<std::uint8_t, kSemaphores> semaphores_{};
  std::array<std::int16_t, kCells> cells_{};
  std::array<bool, kCells / kCellsPerBlock> freed_{};
  bool uses_clock_ = false;
  std::vector<std::pair<Operation, std::uint16_t>> past_;  // what was done, and the clock of who did it then; if it matters
  std::uint8_t arrived_ = 0;                               // at the barrier, in this round
  std::int8_t exiting_ = -1;                               // the first thread that called exit
  std::int8_t status_ = 0;
  bool finished_ = false;  // ProcessEnd was taken
  inspect_bug bug_ = INSPECT_BUG_NONE;
  std::uint32_t bug_site_ = 0;
  ThreadId bug_thread_ = 0;
  const char* bug_message_ = "";
};

// Mixes a value into a hash.
inline std::uint64_t mix(std::uint64_t h, std::uint64_t value) {
  h = (h ^ value) * 0x9E3779B97F4A7C15ull;
  h ^= h >> 29;
  h *= 0xBF58476D1CE4E5B9ull;
  return h ^ (h >> 32);
}

}  // namespace inspect::oracle
