#include "search/cut/cut.hpp"

#include <concepts>

namespace inspect::search {

#define CUT(name, factory, needs, travels, option) std::unique_ptr<Cut> factory(CutHost&, const CutPlan&, const Cuts&);
#include "search/cut/cuts.def"

namespace {

// An option that may ask for a cut, as it is given; empty if it does not.
[[maybe_unused]] std::string given(const char*, const std::string&) { return {}; }  // algorithm: its row says
[[maybe_unused]] std::string given(const char* name, std::same_as<bool> auto flag) {
  return flag ? std::string("--") + name : std::string();
}
[[maybe_unused]] std::string given(const char* name, const std::same_as<std::optional<unsigned>> auto& count) {
  return count ? std::string("--") + name + '=' + std::to_string(*count) : std::string();
}

constexpr CutInfo kCuts[] = {
#define CUT(name, factory, needs, travels, option) \
  {#name, CutNeeds::needs, travels, [](const Options& o) { return given(#option, o.option); }, factory},
#include "search/cut/cuts.def"
};

}  // namespace

std::span<const CutInfo> cuts() { return kCuts; }

const CutInfo* find_cut(std::string_view name) {
  for (const CutInfo& row : kCuts)
    if (row.name == name) return &row;
  return nullptr;
}

std::string asked_by(const CutInfo& cut, const Options& options) {
  const ReductionInfo* const reduction = find_reduction(options.algorithm);
  return reduction && reduction->cut == cut.name ? "--algorithm=" + options.algorithm : cut.option(options);
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
