// What Inspect itself needs of the system, looked at before anything else, so that what is missing is told as that and never as
// a finding about the program.
#pragma once
#include <optional>

#include "base/result.hpp"

namespace inspect::cli {

// Descriptors 0 to 2 that are closed would be taken by files of ours. What is read from them then is empty, and what is
// written to them is an error.
void open_standard_descriptors();

// A resource limit that is too low, and how the shell names it.
[[nodiscard]] std::optional<Error> unmet_need();

}  // namespace inspect::cli
