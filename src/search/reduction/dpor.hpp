// Dynamic partial order reduction: C. Flanagan, P. Godefroid, POPL 2005, as in the dissertation, ch. 2 and 3 (Fig. 2.1), with
// sleep sets and locksets.
//
// For each transition, and for what a blocked thread waits to do, the latest transition that it is in a race with is reversed:
// at the state before that one the thread itself is explored too, or a thread that has to move before it, or every enabled
// thread if there is none. The papers stop there; with sleep sets that loses executions (docs/algorithms.md), so the other
// races are reversed as well. What a cut leaves out is reversed with what leads there, by as much of happens-before as is known
// at the cut (SEMANTICS I.1).
#pragma once
#include "search/reduction/reduction.hpp"

namespace inspect::search {

class Dpor : public Reduction {
 public:
  [[nodiscard]] ReductionTraits traits() const override { return {}; }
  void races_of(const Path& path, ThreadId t, const Label& next, std::span<const std::uint32_t> with,
                Races& out) const override;
  void races_behind(const Path& path, ThreadId t, const Label& next, Lockset locks, Races& out) const override;
  void apply(const Races& races, Backtracking& tree) const override;

 protected:
  // Asks for t, or a thread that has to move before it, or else every enabled one, before the transition at depth d.
  // blind: what comes between them is not known.
  static void reverse(const Path& path, std::uint32_t d, ThreadId t, Races& out, bool blind = false);
};

}  // namespace inspect::search
