#include "search/reduction/pdp.hpp"

#include "search/reduction/races.hpp"

namespace inspect::search {

std::unique_ptr<Reduction> make_pdp() { return std::make_unique<Pdp>(); }

void Pdp::races_of(const Path& path, ThreadId t, const Label&, std::span<const std::uint32_t> with, Races& out) const {
  add_races(path, t, with, out);
}

void Pdp::races_behind(const Path& path, ThreadId t, const Label& next, Lockset locks, Races& out) const {
  path.for_each_conflict(next, t, [&](std::uint32_t d) {
    if (!may_be_coenabled(path.operation(d), path.locks_before(d), next.operation, locks)) return false;
    path.enabled(d - 1).for_each([&](unsigned q) {
      Race race{.state = d - 1, .thread = static_cast<ThreadId>(q), .first = {}};
      race.first.insert(q);
      out.list.push_back(race);
    });
    return false;  // older ones matter too: which is the latest depends on what comes between
  });
}

void Pdp::apply(const Races& races, Backtracking& tree) const { insert(races, tree); }

}  // namespace inspect::search
