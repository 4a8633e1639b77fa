// Call stacks of the two sides of a data race.
#pragma once
#include <vector>

#include "cli/session.hpp"
#include "report/interleaving.hpp"

namespace inspect::cli {

// Empty unless the run ended in a data race. Outer frames come from the nearest recorded stack of the same function's thread.
std::vector<report::CallStack> race_stacks(const process::VerboseRun& run, ProcessNames& names);

}  // namespace inspect::cli
