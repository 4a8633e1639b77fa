#include "search/reduction/source.hpp"

#include "search/reduction/races.hpp"

namespace inspect::search {

std::unique_ptr<Reduction> make_source() { return std::make_unique<Source>(); }

ThreadSet Source::initial(const Path&, std::uint32_t, ThreadId taken) const {
  ThreadSet only;
  only.insert(taken);
  return only;
}

void Source::races_of(const Path& path, ThreadId t, const Label&, std::span<const std::uint32_t> with, Races& out) const {
  add_races(path, t, with, out);
}

void Source::apply(const Races& races, Backtracking& tree) const {
  for (const Race& race : races.list) insert(race, tree);
}

}  // namespace inspect::search
