#include "cli/options.hpp"

namespace inspect::cli {

const std::vector<std::string>& built_algorithms() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{
        "auto",
#define REDUCTION(name, factory, exhaustive, optimal, property, help) name,
#include "search/reductions.def"
#define SAMPLER(name, policy, help) name,
#include "search/samplers.def"
    };
#ifndef INSPECT_STATEFUL
    std::erase(all, "sdpor");  // options.def says why
#endif
    return all;
  }();
  return names;
}

}  // namespace inspect::cli
