// What dpor becomes under a bound on preemptions: persistent sets without sleep sets, with the points that the bound needs
// (cut/preemption_bound.hpp says which and why).
#pragma once
#include "search/reduction/reduction.hpp"

namespace inspect::search {

class Bounded final : public Reduction {
 public:
  [[nodiscard]] ReductionTraits traits() const override { return {.sleep_sets = mutated(Mutation::bound_keeps_sleep_sets)}; }
  void races_of(const Path& path, ThreadId t, const Label& next, std::span<const std::uint32_t> with,
                Races& out) const override;
  void apply(const Races& races, Backtracking& tree) const override;
};

}  // namespace inspect::search
