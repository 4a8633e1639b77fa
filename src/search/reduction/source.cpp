#include "search/reduction/source.hpp"

#include "search/reduction/races.hpp"

namespace inspect::search {

std::unique_ptr<Reduction> make_source() { return std::make_unique<Source>(); }

ThreadSet Source::initial(const Path&, std::uint32_t, ThreadId taken) const {
  ThreadSet only;
  only.insert(taken);
  return only;
}

void Source::races_of_next(const Path& path, ThreadId t, const Label& next, Races& out) const {
  find_races(path, t, next, out);
}

void Source::races_of_blocked(const Path& path, Races& out) const {
  for_each_newly_blocked(path, [&](ThreadId t, const Label& next) { find_races(path, t, next, out); });
}

void Source::apply(const Races& races, Backtracking& tree) const {
  for (const Race& race : races.list) insert(race, tree);
}

}  // namespace inspect::search
