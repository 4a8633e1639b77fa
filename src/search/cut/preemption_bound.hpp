// A bound on preemptions: switches away from a thread that is still enabled. Switches from one that is blocked or has ended are
// free (M. Musuvathi, S. Qadeer, "Iterative context bounding", PLDI 2007).
//
// Putting a transition before an earlier one of another thread may split that thread's block, and so cost one preemption more
// than another schedule of the same class. Therefore each race is also reversed where the block of the earlier transition
// begins, where the switch is free or was counted already (K. Coons, M. Musuvathi, K. McKinley, "Bounded partial-order
// reduction", OOPSLA 2013). Pairs that are never enabled together, such as an unlock and a lock, count as races too: blocking
// makes switches free. There are no sleep sets: what follows a sleeper may have been left out. Guarantees: if nothing is beyond
// the bound, this is an ordinary search with persistent sets, so nothing is missed. If something is, no class with a schedule
// within the bound should be missed; that is tested, not proved (docs/algorithms.md). Deliberately unknown here: the tree.
#pragma once
#include "search/cut/cut.hpp"

namespace inspect::search {

class PreemptionBound final : public Cut {
 public:
  PreemptionBound(CutHost& host, unsigned most) : host_(host), most_(most) {}

  void begin() override { left_out_ = false; }
  void prepare(Request& request) const override { request.policy = INSPECT_POLICY_STAY; }
  Arrival on_arrival(const Execution&, std::uint32_t, std::span<const Event>) override;
  bool allows(std::uint32_t state, ThreadId t) override;
  void on_unknown_end(bool by_bug) override;
  void report(Outcome& outcome) const override;

 private:
  CutHost& host_;
  const unsigned most_;
  bool left_out_ = false;
};

}  // namespace inspect::search
