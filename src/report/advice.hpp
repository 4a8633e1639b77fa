// What to do about a verdict that proves nothing.
//
// Guarantees: for each reason that is not empty there is advice; the same for equal reasons.
#pragma once
#include <string>
#include <vector>

#include "model/verdict.hpp"

namespace inspect::report {

// In the order of the table, each once; empty for verified and bug.
std::vector<std::string> advice_for(const Verdict& verdict);

}  // namespace inspect::report
