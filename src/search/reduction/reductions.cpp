#include "search/reduction/reduction.hpp"

#include "search/reduction/races.hpp"
#include "search/reduction/sleep_sets.hpp"

namespace inspect::search {

#define REDUCTION(name, factory, bounded, cut, symmetry, automatic, runs, property, help) std::unique_ptr<Reduction> factory();
#include "search/reduction/reductions.def"
std::unique_ptr<Reduction> make_bounded();

namespace {
constexpr ReductionInfo kReductions[] = {
#define REDUCTION(name, factory, bounded, cut, symmetry, automatic, runs, property, help) \
  {name, factory, bounded, cut, symmetry, automatic, Runs::runs, property, help},
#include "search/reduction/reductions.def"
};

bool does(const ReductionInfo& r, Wanted wanted) {
  return (!wanted.symmetry || r.symmetry) && (!wanted.bound || r.make_bounded);
}
}  // namespace

ThreadSet Reduction::initial(const Path&, std::uint32_t, ThreadId taken) const {
  ThreadSet only;
  only.insert(taken);
  return only;
}

std::unique_ptr<Branching> Reduction::make_branching(Tree& tree, const Path& path, bool keep_going) const {
  using Use = SleepSets::Use;
  return std::make_unique<SleepSets>(tree, path, !traits().sleep_sets ? Use::never : keep_going ? Use::here : Use::everywhere);
}

void Reduction::races_of_waiting(const Path& path, Races& out) const {
  for_each_newly_blocked(path, [&](ThreadId t, const Label& next) {
    found_.clear();
    path.find_races(t, next, found_);
    races_of(path, t, next, found_, out);
  });
}

std::span<const ReductionInfo> reductions() { return kReductions; }

bool may_fall_back(const ReductionInfo& reduction) { return reduction.make()->traits().sequences; }

const ReductionInfo* find_reduction(std::string_view name, Wanted wanted) {
  const ReductionInfo* found = nullptr;
  for (const ReductionInfo& r : kReductions) {
    const bool is_it = name == "auto" ? r.automatic : r.name == name;
    if (is_it && does(r, wanted)) found = &r;
  }
  return found;
}

std::vector<std::string_view> reductions_for(Wanted wanted) {
  std::vector<std::string_view> names;
  for (const ReductionInfo& r : kReductions)
    if (does(r, wanted)) names.push_back(r.name);
  return names;
}

}  // namespace inspect::search
