#include "search/reduction/bounded.hpp"

#include "search/causality/blocks.hpp"
#include "search/causality/coenabled.hpp"

namespace inspect::search {

std::unique_ptr<Reduction> make_bounded() { return std::make_unique<Bounded>(); }

void Bounded::races_of(const Path& path, ThreadId t, const Label& next, std::span<const std::uint32_t>, Races& out) const {
  // All races, not only the latest: the branch of the latest would show the others, but it may be beyond the bound.
  for (std::uint32_t d = path.depth(); d > 0; --d) {
    if (path.happens_before(d, t) || !path.depends(next, d)) continue;
    if (mutated(Mutation::bound_ignores_blocking) &&
        !may_be_coenabled(path.operation(d), path.locks_before(d), next.operation, path.locks(t)))
      continue;
    out.list.push_back({.state = d - 1, .thread = t, .first = {}});
    if (!mutated(Mutation::bound_without_block_starts))
      out.list.push_back({.state = block_start(path, d), .thread = t, .first = {}});
    if (mutated(Mutation::bound_latest_race_only)) return;
  }
}

// Schedules the race's thread, or every enabled one if that is not enabled.
void Bounded::apply(const Races& races, Backtracking& tree) const {
  for (const Race& race : races.list) {
    const ThreadSet enabled = tree.enabled(race.state);
    if (enabled.contains(race.thread))
      tree.schedule(race.state, race.thread);
    else
      enabled.for_each([&](unsigned t) { tree.schedule(race.state, static_cast<ThreadId>(t)); });
  }
}

}  // namespace inspect::search
