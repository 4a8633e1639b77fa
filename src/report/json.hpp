// The verdict as JSON, schema 1 (the contract with scripts): every key always present, null where it does not apply.
#pragma once
#include <string>

#include "model/verdict.hpp"

namespace inspect::report {

// One object, indented, with a line break at its end. Text that is not UTF-8 is replaced, never an error.
std::string verdict_json(const Verdict& verdict);

}  // namespace inspect::report
