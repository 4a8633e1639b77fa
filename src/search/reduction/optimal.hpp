// Optimal DPOR with wakeup sequences: P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas, "Source Sets: A Foundation for Optimal
// Dynamic Partial Order Reduction", JACM 2017, section 7.
//
// Each race (e, e') of an execution that has ended is reversed by the whole sequence that leads to it: what does not happen
// after e, and e'. The tree takes it only if no sleeper could come first in it, and extends it until nothing sleeps any more.
// So no execution is blocked by sleepers, and no class is explored twice. Guarantees: exact for programs all of whose
// operations have a label that is known after the reversal (Reversal::places); `source` explores others. Deliberately unknown
// here: the tree.
#pragma once
#include <vector>

#include "search/causality/reversal.hpp"
#include "search/reduction/reduction.hpp"

namespace inspect::search {

class Optimal final : public Reduction {
 public:
  [[nodiscard]] ReductionTraits traits() const override { return {.sequences = true}; }
  [[nodiscard]] std::unique_ptr<Branching> make_branching(Tree& tree, const Path& path, bool keep_going) const override;
  // Races of a thread that waits where the execution ended, or that could have gone on where it was cut.
  void races_of(const Path& path, ThreadId t, const Label& next, std::span<const std::uint32_t> with,
                Races& out) const override;
  // Other ways to go on from a state come as sequences, when the execution has ended.
  [[nodiscard]] ThreadSet initial(const Path&, std::uint32_t, ThreadId) const override { return {}; }
  void races_of_next(const Path&, ThreadId, const Label&, Races&) const override {}
  void races_of_waiting(const Path&, Races&) const override {}
  void races_at_end(const Path& path, std::uint32_t known, Races& out) const override;
  void apply(const Races& races, Backtracking& tree) const override;

 private:
  void races_of_taken(const Path& path, std::uint32_t j, std::uint32_t known, Races& out) const;
  void other_alternatives(const Path& path, std::uint32_t d, Races& out) const;
  void add(const Path& path, std::uint32_t d, const Reversal& reversal, Races& out) const;

  // Kept for their capacity.
  mutable Reversal reversal_;
  mutable std::vector<std::uint32_t> found_;
  mutable std::vector<bool> changed_;
};

}  // namespace inspect::search
