#include "cli/options.hpp"

namespace inspect::cli {

std::vector<std::string> built_words(const OptionRow& row) {
  if (row.name == "algorithm")
    return {
        "auto",
#define REDUCTION(name, factory, bounded, cut, symmetry, automatic, runs, property, help) name,
#include "search/reduction/reductions.def"
#define SAMPLER(name, policy, help) name,
#include "search/sample/samplers.def"
    };
  if (row.name == "engine")
    return {
#define ENGINE(name, factory, by_states) name,
#include "engine/engines.def"
    };
  return split_bar(row.built == "*" ? row.argument : row.built);
}

}  // namespace inspect::cli
