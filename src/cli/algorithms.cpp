#include "cli/options.hpp"

namespace inspect::cli {

const std::vector<std::string>& built_algorithms() {
  static const std::vector<std::string> names{
      "auto",
#define REDUCTION(name, factory, bounded, cut, symmetry, exhaustive, optimal, property, help) name,
#include "search/reduction/reductions.def"
#define SAMPLER(name, policy, help) name,
#include "search/sample/samplers.def"
  };
  return names;
}

}  // namespace inspect::cli
