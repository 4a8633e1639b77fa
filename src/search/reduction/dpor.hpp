// Dynamic partial order reduction: C. Flanagan, P. Godefroid, POPL 2005, as in the dissertation, ch. 2 and 3 (Fig. 2.1).
//
// For every state reached and every thread, enabled or not, the latest transition that is dependent on the thread's next
// operation, may be co-enabled with it and does not happen before it is reversed: at the state before it, the thread itself, or
// a thread that has to move first, is explored too; every enabled thread if there is no such thread (SEMANTICS H.1, H.2, H.5).
// With sleep sets. docs/algorithms.md says why this is sound here, with several executions under way at once.
#pragma once
#include "search/reduction.hpp"

namespace inspect::search {

class Dpor final : public Reduction {
 public:
  [[nodiscard]] ReductionTraits traits() const override { return {}; }
  [[nodiscard]] ThreadSet initial(const Path&, std::uint32_t, ThreadId taken) const override;
  void races(const Path& path, std::vector<Race>& out) const override;
  void apply(std::span<const Race> races, Backtracking& tree) const override;
};

}  // namespace inspect::search
