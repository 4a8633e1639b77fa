// Source sets: P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas, "Source Sets: A Foundation for Optimal Dynamic Partial Order
// Reduction", JACM 2017, Algorithm 1.
//
// As dpor, but a race needs only some thread that can come first once the earlier transition is put behind the later one, which
// is less than a persistent set. Threads that wait are analysed where they wait (SEMANTICS H.2).
#pragma once
#include "search/reduction/reduction.hpp"

namespace inspect::search {

class Source final : public Reduction {
 public:
  [[nodiscard]] ReductionTraits traits() const override { return {}; }
  void races_of(const Path& path, ThreadId t, const Label& next, std::span<const std::uint32_t> with,
                Races& out) const override;
  void apply(const Races& races, Backtracking& tree) const override;
};

}  // namespace inspect::search
