// An interleaving as a file for other programs: a graph for Graphviz, a finding (SARIF 2.1.0) for code-scanning tools.
//
// Guarantees: self-contained output (no scripts, no external resources); every text of the program is escaped.
#pragma once
#include <string>

#include "report/interleaving.hpp"

namespace inspect::report {

#define FORMAT(option, render) std::string render(const Interleaving& interleaving);
#include "report/formats.def"

struct Format {
  const char* option;
  std::string (*render)(const Interleaving& interleaving);
};

inline constexpr Format kFormats[] = {
#define FORMAT(option, render) {option, render},
#include "report/formats.def"
};

}  // namespace inspect::report
