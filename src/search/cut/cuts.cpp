#include "search/cut/cut.hpp"

namespace inspect::search {

#define CUT(name, factory, needs) std::unique_ptr<Cut> factory(CutHost&, const CutPlan&, const Cuts&);
#include "search/cut/cuts.def"

namespace {
constexpr CutInfo kCuts[] = {
#define CUT(name, factory, needs) {#name, CutNeeds::needs, factory},
#include "search/cut/cuts.def"
};
}  // namespace

std::span<const CutInfo> cuts() { return kCuts; }

CutNeeds needs_of(const ReductionInfo& reduction) {
  for (const CutInfo& row : kCuts)
    if (row.name == reduction.cut) return row.needs;
  return CutNeeds::nothing;
}

Cuts make_cuts(CutHost& host, std::string_view cut, const Options& options) {
  Cuts made;
  for (const CutInfo& row : kCuts)
    if (auto one = row.make(host, {.belongs = row.name == cut, .options = options}, made)) made.push_back(std::move(one));
  return made;
}

}  // namespace inspect::search
