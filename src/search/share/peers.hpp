// Several searches on parts of one tree, as one of them sees the others (SEMANTICS J).
//
// Each transition to be explored belongs to one search. A search gives away a pending transition as a *work unit*; it stays the
// owner of the states on the way there, and the only one that inserts anything at them. Whoever explores a unit sends the races
// with transitions of the prefix back to its owner, and tells it when nothing is left of the unit; the owner may then close it,
// as if it had explored it itself. So units form a tree, and the whole search has ended when the search that has the root has
// nothing left. Deliberately unknown here: processes, messages, who gets a unit.
#pragma once
#include <cstdint>
#include <vector>

#include "search/reduction/reduction.hpp"

namespace inspect::search {

// Unique over all searches; 0 is none.
using UnitName = std::uint64_t;

// Numbers of executions, by how they ended, and of transitions.
struct Counts {
  std::uint64_t executions = 0, redundant = 0, limited = 0, transitions = 0;
  bool operator==(const Counts&) const = default;
  Counts& operator+=(const Counts& o) {
    executions += o.executions;
    redundant += o.redundant;
    limited += o.limited;
    transitions += o.transitions;
    return *this;
  }
};

// A race at the state `state` of a unit's prefix; see Race.
struct RemoteRace {
  std::uint32_t state = 0;
  ThreadId thread = 0;
  ThreadSet first;
  std::vector<SequenceStep> steps;
};

// A unit of which nothing is left.
struct UnitResult {
  Counts counts;
  bool never_sleeps = false;  // its first transition ended in a bug: it must not sleep in siblings
};

class Peers {
 public:
  virtual ~Peers() = default;
  virtual UnitName new_name() = 0;
  // To the owner of a unit that this search explores.
  virtual void send_race(UnitName unit, const RemoteRace& race) = 0;
  virtual void send_finished(UnitName unit, const UnitResult& result) = 0;
  // To whoever explores a unit of this search: its result is no longer wanted.
  virtual void send_cancel(UnitName unit) = 0;
};

}  // namespace inspect::search
