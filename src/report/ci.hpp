// A verdict for the machines of a project: JUnit XML, and annotations as GitHub's workflows read them.
//
// Guarantees: texts of the program are escaped in the form's own way; one test case a target, which fails for a bug and is
// skipped where nothing was proved.
#pragma once
#include <string>

#include "model/verdict.hpp"

namespace inspect::report {

std::string verdict_junit(const Verdict& verdict, const std::string& target);

// One line a bug, or one warning for a verdict that proves nothing; empty for verified.
std::string github_annotations(const Verdict& verdict, const std::string& target);

}  // namespace inspect::report
