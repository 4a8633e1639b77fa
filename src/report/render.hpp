// An interleaving as a file for other programs: a graph for Graphviz, a finding for code-scanning tools.
//
// Guarantees: self-contained output (no scripts, no external resources); every text of the program is escaped.
#pragma once
#include <string>

#include "report/interleaving.hpp"

namespace inspect::report {

std::string interleaving_dot(const Interleaving& interleaving);
std::string interleaving_sarif(const Interleaving& interleaving);  // SARIF 2.1.0

}  // namespace inspect::report
