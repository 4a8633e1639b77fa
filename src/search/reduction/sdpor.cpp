#include "search/reduction/sdpor.hpp"

namespace inspect::search {

std::unique_ptr<Reduction> make_sdpor() { return std::make_unique<Sdpor>(); }

std::unique_ptr<Reduction> with_summaries(std::unique_ptr<Reduction> reduction) {
  return reduction->traits().stateful ? std::move(reduction) : std::make_unique<Sdpor>(false);
}

void Sdpor::races_behind(const Path& path, ThreadId t, const Label& next, Lockset locks, Races& out) const {
  if (mutated(Mutation::revisit_without_backtracking)) return;
  bool found = false;
  path.for_each_conflict(next, t, [&](std::uint32_t d) {
    if (!may_be_coenabled(path.operation(d), path.locks_before(d), next.operation, locks)) return false;
    if (found && mutated(Mutation::latest_of_summary_only)) return true;
    found = true;
    reverse(path, d, t, out, true);
    return !inspect_awaits(&next.operation);
  });
}

}  // namespace inspect::search
