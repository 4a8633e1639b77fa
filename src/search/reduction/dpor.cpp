#include "search/reduction/dpor.hpp"

#include <algorithm>

#include "search/reduction/races.hpp"

namespace inspect::search {

std::unique_ptr<Reduction> make_dpor() { return std::make_unique<Dpor>(); }

void Dpor::reverse(const Path& path, std::uint32_t d, ThreadId t, Races& out, bool blind) {
  // The papers' set E: t, and each thread with a transition after this state that happens before t's next one.
  Race race{.state = d - 1, .thread = t, .first = {}, .blind = blind};
  path.enabled(race.state).for_each([&](unsigned q) {
    if (path.precedes_after(race.state, static_cast<ThreadId>(q), t)) race.first.insert(q);
  });
  if (!race.first.empty()) return out.list.push_back(race);
  path.enabled(race.state).for_each([&](unsigned q) {
    out.list.push_back({.state = race.state, .thread = t, .first = {}});
    out.list.back().first.insert(q);
  });
}

void Dpor::races_of(const Path& path, ThreadId t, const Label&, std::span<const std::uint32_t> with, Races& out) const {
  if (with.empty()) return;
  add_races(path, t, with, out);
  reverse(path, *std::ranges::max_element(with), t, out);
}

// Reverses every transition that may conflict, not only the latest: which of them is the latest that does not happen before
// depends on what comes between, and that is not known.
void Dpor::races_behind(const Path& path, ThreadId t, const Label& next, Lockset locks, Races& out) const {
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

void Dpor::apply(const Races& races, Backtracking& tree) const { insert(races, tree); }

}  // namespace inspect::search
