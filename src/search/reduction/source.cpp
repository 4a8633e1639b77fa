#include "search/reduction/source.hpp"

#include "search/reduction/races.hpp"

namespace inspect::search {

std::unique_ptr<Reduction> make_source() { return std::make_unique<Source>(); }

void Source::races_of(const Path& path, ThreadId t, const Label&, std::span<const std::uint32_t> with, Races& out) const {
  add_races(path, t, with, out);
}

void Source::apply(const Races& races, Backtracking& tree) const { insert(races, tree); }

}  // namespace inspect::search
