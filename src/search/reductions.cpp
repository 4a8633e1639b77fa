#include "search/reduction.hpp"

namespace inspect::search {

#define REDUCTION(name, factory, exhaustive, optimal, property, help) std::unique_ptr<Reduction> factory();
#include "search/reductions.def"

namespace {
constexpr ReductionInfo kReductions[] = {
#define REDUCTION(name, factory, exhaustive, optimal, property, help) {name, exhaustive, optimal, property, help, factory},
#include "search/reductions.def"
};
}  // namespace

std::span<const ReductionInfo> reductions() { return kReductions; }

const ReductionInfo* find_reduction(std::string_view name) {
  const ReductionInfo* found = nullptr;
  for (const ReductionInfo& r : kReductions)
    if (name == "auto" ? r.exhaustive : r.name == name) found = &r;
  return found;
}

}  // namespace inspect::search
