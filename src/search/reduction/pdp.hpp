// Property-driven pruning: C. Wang, Y. Yang, A. Gupta, G. Gopalakrishnan, ATVA 2008; the dissertation, ch. 5.
//
// As dpor, without sleep sets; but what follows a state is not explored if no data race can follow it (prune/race_free.hpp).
// What might have happened there is reversed with what leads to the state, as behind a known state (sdpor.hpp, SEMANTICS I.3).
// Deliberately unknown here: how it is found out that no race follows.
#pragma once
#include "search/reduction/sdpor.hpp"

namespace inspect::search {

class Pdp final : public Sdpor {
 public:
  Pdp() : Sdpor(false) {}
  [[nodiscard]] ReductionTraits traits() const override { return {.sleep_sets = false, .prunes = true}; }
};

}  // namespace inspect::search
