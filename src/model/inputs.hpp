// The values of inputs without bounds: a list such as -2,0..7.
//
// Guarantees: what is parsed is ascending, without overlaps and as short as can be, so equal sets have equal texts.
// Deliberately unknown here: which inputs a program has, and which of the values fit their types.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "hooks/execution.h"

namespace inspect {

// Error: what was expected.
Result<std::vector<inspect_input_range>> parse_inputs(std::string_view text);
std::string format_inputs(std::span<const inspect_input_range> ranges);

}  // namespace inspect
