// One execution of a program, as values: the transitions taken, what each thread would do next, and how it ended.
//
// Guarantees: everything a reduction or a race analysis needs is here; nothing refers to a process or to memory of one.
// Deliberately unknown here: how the execution was produced.
#pragma once
#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "hooks/dependence.h"
#include "hooks/execution.h"
#include "hooks/operation.h"

namespace inspect {

// Number of a thread: assigned at its first creation, a function of its creation path, stable over all executions. Main is 0.
using ThreadId = std::uint8_t;
inline constexpr unsigned kMaxThreads = INSPECT_MAX_THREADS;

// Set of threads, or of alternatives of one operation.
class ThreadSet {
 public:
  constexpr ThreadSet() = default;
  constexpr ThreadSet(std::uint64_t low, std::uint64_t high) : words_{low, high} {}
  [[nodiscard]] constexpr bool contains(unsigned t) const { return words_[t >> 6] >> (t & 63) & 1; }
  constexpr void insert(unsigned t) { words_[t >> 6] |= 1ull << (t & 63); }
  constexpr void erase(unsigned t) { words_[t >> 6] &= ~(1ull << (t & 63)); }
  [[nodiscard]] constexpr bool empty() const { return !(words_[0] | words_[1]); }
  [[nodiscard]] constexpr int size() const { return std::popcount(words_[0]) + std::popcount(words_[1]); }
  [[nodiscard]] constexpr bool contains_all(const ThreadSet& o) const {
    return !((o.words_[0] & ~words_[0]) | (o.words_[1] & ~words_[1]));
  }
  [[nodiscard]] constexpr std::uint64_t word(int i) const { return words_[i]; }
  // Smallest member; the set must not be empty.
  [[nodiscard]] constexpr unsigned first() const {
    return words_[0] ? std::countr_zero(words_[0]) : 64 + std::countr_zero(words_[1]);
  }
  constexpr ThreadSet& operator|=(const ThreadSet& o) {
    words_[0] |= o.words_[0];
    words_[1] |= o.words_[1];
    return *this;
  }
  constexpr ThreadSet& operator&=(const ThreadSet& o) {
    words_[0] &= o.words_[0];
    words_[1] &= o.words_[1];
    return *this;
  }
  constexpr ThreadSet& operator-=(const ThreadSet& o) {
    words_[0] &= ~o.words_[0];
    words_[1] &= ~o.words_[1];
    return *this;
  }
  friend constexpr bool operator==(const ThreadSet&, const ThreadSet&) = default;
  template <class F>
  void for_each(F&& f) const {
    for (int w = 0; w < 2; ++w)
      for (std::uint64_t m = words_[w]; m; m &= m - 1) f(static_cast<unsigned>(64 * w + std::countr_zero(m)));
  }

 private:
  std::uint64_t words_[2] = {0, 0};
};

// A transition is (thread, alternative): SEMANTICS A.1.
struct Choice {
  ThreadId thread = 0;
  std::uint16_t alternative = 0;
  friend constexpr auto operator<=>(const Choice&, const Choice&) = default;
};

using Operation = inspect_operation;

// The operation a thread will perform when it is next scheduled (kind None: it has ended).
struct Pending {
  Operation operation{};
  std::uint32_t choices = 1;     // a Choice operation: alternatives 0 … choices-1, all enabled
  ThreadSet alternatives{1, 0};  // else: the enabled alternatives, meaningful while the thread is enabled
};

struct PendingChange {
  ThreadId thread;
  Pending pending;
};

// A plain access that is no transition of its own.
struct PlainAccess {
  std::uint64_t address = 0, value = 0;
  std::uint32_t size = 0, site = 0;
  bool write = false, has_value = false;  // value: what was there before
  bool varies = false;                    // the clock was read: what it says depends on what came before, in any thread
};

// One executed transition and what changed by it.
struct Event {
  Choice choice;
  Operation operation;     // with outcome flags
  std::uint64_t read = 0;  // value read, old value or result
  std::uint64_t written = 0;
  // Where accesses are asked for: of a created thread, read is the argument and written the address of its function.
  Pending next;                        // next operation of the same thread
  ThreadSet enabled;                   // threads enabled after it
  std::vector<PendingChange> changes;  // pending operations of other threads that are new or whose alternatives changed
  std::vector<Operation> footprint;    // atomic sections: every range touched
  std::vector<PlainAccess> accesses;   // after it and before the thread's next one; empty if they were not asked for
  bool unseen = false;                 // and other code ran there, of which nothing is known
};

enum class EndKind : std::uint8_t {
  complete,
  bug,
  redundant,  // only sleeping transitions were enabled
  spinning,   // only loops were left that had waited in vain and would go on now: another execution has them wait less
  limit,
  unsupported,
  diverged,
  stopped  // from outside, as was asked for: it says nothing of the program
};

// Which state of the program it is: equal for states that behave alike from there on. Null: like no other.
struct StateId {
  std::uint64_t low = 0, high = 0;
  [[nodiscard]] constexpr bool unique() const { return !(low | high); }
  friend constexpr bool operator==(const StateId&, const StateId&) = default;
};

// Swapping `thread` and `like` leads from a state to itself; `like` is the smaller number. With a `joiner` the two states may
// differ in the order in which that thread is about to join the two, and it must do nothing but join until it has joined both.
// kMaxThreads: there is no such thread.
struct SymmetricPair {
  ThreadId thread = 0, like = 0;
  std::uint8_t joiner = kMaxThreads;
};

// What ended an execution, and where.
struct Stop {
  std::uint32_t detail = 0;  // inspect_bug for bug, inspect_limit for limit, step index for diverged
  int status = 0;            // exit status of the program
  std::string message;       // of a bug, an unsupported call, a divergence
  ThreadId thread = 0, other_thread = 0;
  std::uint32_t site = 0, other_site = 0;
  std::uint64_t address = 0;  // 0: does not apply
};

struct Execution : Stop {
  std::size_t known =
      0;  // leading steps of the request's prefix that its caller knew: events[0] is step `known` of the execution
  std::vector<Event> events;
  std::vector<StateId> states;                                // after each event; empty if they were not asked for
  std::vector<std::vector<std::uint64_t>> state_words;        // their descriptions, where they were asked for
  std::array<bool, INSPECT_NO_IDENTITY_COUNT> no_identity{};  // why some of them are null
  std::vector<ThreadSet> safe;  // of each: threads whose next transition is independent of what others can do before it
  std::vector<std::uint32_t> allocations;                   // in each: how many there have been, where `safe` was asked for
  std::vector<bool> permuted;                               // is each described with threads in other places?
  std::vector<bool> touched_conditions;                     // may the step there have changed what formulas speak of?
  std::vector<std::uint64_t> valuations;                    // in them: which conditions hold (hooks/condition.h), a bit each
  std::vector<std::vector<SymmetricPair>> symmetric_pairs;  // in the state after each event; empty if they were not asked for
  EndKind end = EndKind::complete;
};

}  // namespace inspect
