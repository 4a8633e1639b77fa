// Stateful dynamic partial order reduction: Y. Yang, X. Chen, G. Gopalakrishnan, R. Kirby, SPIN 2008; the dissertation, ch. 4.
//
// As dpor. What a state's subtree covers depends on what slept there (visited.hpp). An execution that arrives in a known state
// is cut, and what can happen behind it is reversed with what leads there, by as much of happens-before as is known at the cut
// (SEMANTICS I.1): each transition that may conflict, since which is the latest that does not happen before may depend on what
// comes between. Deliberately unknown here: states.
#pragma once
#include "search/reduction/dpor.hpp"

namespace inspect::search {

class Sdpor : public Dpor {
 public:
  // stateful: false: only what it takes to mirror what is skipped (prune/symmetry.hpp).
  explicit Sdpor(bool stateful = true) : stateful_(stateful) {}
  [[nodiscard]] ReductionTraits traits() const override { return {.stateful = stateful_, .summaries = true}; }
  void races_behind(const Path& path, ThreadId t, const Label& next, Lockset locks, Races& out) const override;

 private:
  bool stateful_;
};

// dpor or sdpor, so that parts of the tree can be left out as mirror images of others.
std::unique_ptr<Reduction> with_summaries(std::unique_ptr<Reduction> reduction);

}  // namespace inspect::search
