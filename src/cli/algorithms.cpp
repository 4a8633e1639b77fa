// The algorithms of this build, from the table of the search.
#include "cli/options.hpp"

namespace inspect::cli {

const std::vector<std::string>& built_algorithms() {
  static const std::vector<std::string> names{"auto", "naive", "dpor"};
  return names;
}

}  // namespace inspect::cli
