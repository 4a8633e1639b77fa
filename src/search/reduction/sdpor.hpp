// Stateful dynamic partial order reduction: Y. Yang, X. Chen, G. Gopalakrishnan, R. Kirby, SPIN 2008; the dissertation, ch. 4.
//
// As dpor, without sleep sets: what a state's subtree covers must not depend on how the state was reached. An execution that
// arrives in a known state is cut, and what can happen behind it is reversed with what leads there, by as much of
// happens-before as is known at the cut (SEMANTICS I.1): each transition that may conflict, since which is the latest that does
// not happen before may depend on what comes between. Deliberately unknown here: states.
#pragma once
#include "search/reduction/dpor.hpp"

namespace inspect::search {

class Sdpor final : public Dpor {
 public:
  [[nodiscard]] ReductionTraits traits() const override { return {.sleep_sets = false, .stateful = true}; }
  void races_behind(const Path& path, ThreadId t, const Label& next, Races& out) const override;
};

}  // namespace inspect::search
