#include "search/cut/cut.hpp"

namespace inspect::search {

#define CUT(name, factory, needs, travels) std::unique_ptr<Cut> factory(CutHost&, const CutPlan&, const Cuts&);
#include "search/cut/cuts.def"

namespace {
constexpr CutInfo kCuts[] = {
#define CUT(name, factory, needs, travels) {#name, CutNeeds::needs, travels, factory},
#include "search/cut/cuts.def"
};
}  // namespace

std::span<const CutInfo> cuts() { return kCuts; }

const CutInfo* find_cut(std::string_view name) {
  for (const CutInfo& row : kCuts)
    if (row.name == name) return &row;
  return nullptr;
}

CutNeeds needs_of(const ReductionInfo& reduction) {
  const CutInfo* const cut = find_cut(reduction.cut);
  return cut ? cut->needs : CutNeeds::nothing;
}

bool may_be_shared(const ReductionInfo& reduction) {
  const CutInfo* const cut = find_cut(reduction.cut);
  return !cut || cut->travels;
}

Cuts make_cuts(CutHost& host, std::string_view cut, const Options& options) {
  Cuts made;
  for (const CutInfo& row : kCuts)
    if (auto one = row.make(host, {.belongs = row.name == cut, .options = options}, made)) made.push_back(std::move(one));
  return made;
}

}  // namespace inspect::search
