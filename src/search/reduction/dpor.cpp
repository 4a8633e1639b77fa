#include "search/reduction/dpor.hpp"

#include "search/reduction/races.hpp"

namespace inspect::search {

std::unique_ptr<Reduction> make_dpor() { return std::make_unique<Dpor>(); }

ThreadSet Dpor::initial(const Path&, std::uint32_t, ThreadId taken) const {
  ThreadSet only;
  only.insert(taken);
  return only;
}

void Dpor::reverse(const Path& path, std::uint32_t d, ThreadId t, Races& out) {
  // The papers' set E: t, or whoever has a later transition that happens before its next one.
  Race race{.state = d - 1, .thread = t, .first = {}};
  path.enabled(race.state).for_each([&](unsigned q) {
    if (path.precedes_after(race.state, static_cast<ThreadId>(q), t)) race.first.insert(q);
  });
  if (!race.first.empty()) return out.list.push_back(race);
  path.enabled(race.state).for_each([&](unsigned q) {
    out.list.push_back({.state = race.state, .thread = t, .first = {}});
    out.list.back().first.insert(q);
  });
}

void Dpor::races_of_next(const Path& path, ThreadId t, const Label& next, Races& out) const {
  if (const std::uint32_t latest = find_races(path, t, next, out)) reverse(path, latest, t, out);
}

void Dpor::races_of_blocked(const Path& path, Races& out) const {
  for_each_newly_blocked(path, [&](ThreadId t, const Label& next) { races_of_next(path, t, next, out); });
}

void Dpor::apply(const Races& races, Backtracking& tree) const {
  for (const Race& race : races.list) insert(race, tree);
}

}  // namespace inspect::search
