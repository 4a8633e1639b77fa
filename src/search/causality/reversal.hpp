// A race put the other way round: what is left of the execution when the later operation comes before the earlier one.
//
// The race is between an earlier transition e and a later operation e'. Of the transitions after e, those that do not happen
// after it stay as they are. e' may come out otherwise, or be blocked by what now precedes it; this is worked out from the
// operations on its object (SEMANTICS H.2, H.4, A.1). Guarantees: the transitions for which contains() is true can be taken as
// they are, and e' after those for which precedes() is true. Deliberately unknown here: what is done with it.
#pragma once
#include <cstdint>
#include <vector>

#include "search/core/path.hpp"
#include "search/core/program.hpp"

namespace inspect::search {

class Reversal {
 public:
  // Can it be worked out how an operation comes out in another order? If not, wakeup sequences cannot explore the program.
  static bool places(const Operation& operation);
  // Is the label of a pending operation the one it will have, whatever comes before it?
  static bool is_certain(const Operation& operation);

  // The race of e, the transition at depth d, with e', `operation` of t, which was taken at depth j, or waits at the end of the
  // path (j = depth + 1). False if e' cannot come first.
  bool compute(const Path& path, std::uint32_t d, std::uint32_t j, ThreadId t, const Operation& operation,
               std::uint16_t alternative);
  // The transition at depth d with another alternative. What does not happen after it stays.
  void compute_other(const Path& path, std::uint32_t d, std::uint16_t alternative);

  [[nodiscard]] bool contains(std::uint32_t k) const { return in_[k]; }
  [[nodiscard]] bool precedes(std::uint32_t k) const { return before_[k]; }  // must stay before e'

  Choice choice;
  Operation operation{};
  bool foretold = true;  // false: it is not known how e' comes out, and sequences cannot hold that
  bool exact = true;     // `operation` is the label it will have; if false, it only bounds what it may depend on

 private:
  void independent_of(const Path& path, std::uint32_t d);
  bool woken();
  bool complete_round();
  void find_predecessors();
  void remove(std::uint32_t blocker);
  bool wait_for(std::uint32_t blocker);
  [[nodiscard]] bool is_held_by_itself();
  [[nodiscard]] std::uint32_t holder_of_mutex();
  [[nodiscard]] std::uint32_t writer_of_rwlock();
  [[nodiscard]] std::uint32_t blocker_of_rwlock(bool writes);
  [[nodiscard]] bool semaphore_available() const;
  [[nodiscard]] std::uint16_t waiter() const;
  [[nodiscard]] bool was_there(std::uint32_t k) const { return k < d_ || (k < j_ && in_[k]); }
  template <class F>
  void for_each_before(std::uint64_t object, std::uint32_t size, F&& f);
  bool settle_label();
  bool settle_lock();
  bool settle_semaphore();
  void settle_outcome();
  void settle_open();
  void settle_attempt(bool succeeds);
  [[nodiscard]] std::uint32_t first_change_gone() const;
  void settle_exchange();
  bool settle_once();
  void settle_unknown();
  bool first_exit();
  bool thread_ended();
  [[nodiscard]] bool writes_lock() const;

  const Path* path_ = nullptr;
  std::uint32_t d_ = 0, j_ = 0;
  std::vector<std::uint8_t> in_, before_;
  std::vector<std::uint32_t> touching_;
};

}  // namespace inspect::search
