// What the rows of algorithms and engines say, as texts for the command line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "hooks/execution.h"
#include "search/cut/cut.hpp"

namespace inspect::cli {

using Names = std::vector<std::string_view>;

// "naive, dpor or source"; "random and pct"
std::string listed(const Names& names, std::string_view last);
Names algorithms_that_need(search::CutNeeds what);
Names samplers_with(inspect_policy policy);

// A help text with the names that rows give in place of what stands in braces: {states}, {code}: the algorithms that need
// these; {pct}: the samplers of that policy; {samplers}; {engines of states}.
std::string filled(std::string_view help);

}  // namespace inspect::cli
