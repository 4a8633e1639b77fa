// Which algorithms a test is about, from their rows.
#pragma once
#include <string>
#include <vector>

#include "search/cut/cut.hpp"

namespace inspect::oracle {

// The names of the rows of which f is true.
template <class F>
std::vector<std::string> algorithms(F&& f) {
  std::vector<std::string> names;
  for (const search::ReductionInfo& r : search::reductions())
    if (f(r)) names.emplace_back(r.name);
  return names;
}

// Those that cover everything, but not by running every schedule.
inline bool reduces(const search::ReductionInfo& r) { return !enumerates(r) && r.property.empty(); }

inline bool is_optimal(const std::string& name) {
  const search::ReductionInfo* const row = search::find_reduction(name);
  return row && search::is_optimal(*row);
}

}  // namespace inspect::oracle
