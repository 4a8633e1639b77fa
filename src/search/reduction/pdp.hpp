// Property-driven pruning: C. Wang, Y. Yang, A. Gupta, G. Gopalakrishnan, ATVA 2008; the dissertation, ch. 5.
//
// Races are reversed as by source, but what follows a state is not explored if no data race can follow it (cut/race_free.hpp).
// Behind such a cut it is known what may happen, but not in which order. So before each transition on the way that may conflict
// with it, every enabled thread is explored (SEMANTICS I.3). Sleep sets stay: docs/algorithms.md says why. Deliberately unknown
// here: how it is found out that no race follows.
#pragma once
#include "search/reduction/reduction.hpp"

namespace inspect::search {

class Pdp final : public Reduction {
 public:
  [[nodiscard]] ReductionTraits traits() const override { return {}; }
  void races_of(const Path& path, ThreadId t, const Label& next, std::span<const std::uint32_t> with,
                Races& out) const override;
  void races_behind(const Path& path, ThreadId t, const Label& next, Lockset locks, Races& out) const override;
  void apply(const Races& races, Backtracking& tree) const override;
};

}  // namespace inspect::search
