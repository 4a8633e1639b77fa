// Every schedule: each enabled transition from each state. The baseline that every reduction is compared with.
#pragma once
#include "search/reduction/reduction.hpp"

namespace inspect::search {

class Naive final : public Reduction {
 public:
  [[nodiscard]] ReductionTraits traits() const override { return {.causality = false, .sleep_sets = false}; }
  [[nodiscard]] ThreadSet initial(const Path& path, std::uint32_t state, ThreadId) const override {
    return path.enabled(state);
  }
  void races_of(const Path&, ThreadId, const Label&, std::span<const std::uint32_t>, Races&) const override {}
  void apply(const Races&, Backtracking&) const override {}
};

}  // namespace inspect::search
