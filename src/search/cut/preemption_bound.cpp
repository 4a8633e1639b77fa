#include "search/cut/preemption_bound.hpp"

#include <string>

#include "search/causality/blocks.hpp"
#include "search/core/outcome.hpp"

namespace inspect::search {

std::unique_ptr<Cut> make_preemption_bound(CutHost& host, const CutPlan& plan, const Cuts&) {
  const auto& most = plan.options.preemptions;
  return most ? std::make_unique<PreemptionBound>(host, *most) : nullptr;
}

Cut::Arrival PreemptionBound::on_arrival(const Execution&, std::uint32_t, std::span<const Event>) {
  const Path& path = host_.path();
  const std::uint32_t d = path.depth();
  Tree& tree = host_.tree();
  tree[path.node(d)].preemptions = tree[path.node(d - 1)].preemptions + preempts(path, d - 1, path.thread(d));
  return Arrival::goes_on;
}

bool PreemptionBound::allows(std::uint32_t state, ThreadId t) {
  const bool within = host_.tree()[host_.path().node(state)].preemptions + preempts(host_.path(), state, t) <= most_;
  left_out_ |= !within;
  return within;
}

void PreemptionBound::report(Outcome& outcome) const {
  if (!left_out_) return;
  leave_out(outcome, "schedules with more than " + std::to_string(most_) + (most_ == 1 ? " preemption" : " preemptions") +
                         " were left out");
}

void PreemptionBound::on_unknown_end(bool by_bug) {
  if (by_bug) host_.schedule_all(block_start(host_.path(), host_.path().depth()));
}

}  // namespace inspect::search
