// The terminal's form of an interleaving and of a verdict.
//
// Guarantees: plain UTF-8 text without colours; a verdict ends with its one line and the counts (the contract with scripts).
#pragma once
#include <cstddef>
#include <string>

#include "model/verdict.hpp"
#include "report/interleaving.hpp"
#include "report/source.hpp"

namespace inspect::report {

struct TextStyle {
  std::size_t width = 150;      // characters of a line, as far as columns allow
  std::size_t max_lines = 200;  // of the interleaving; earlier ones are left out and counted
  bool all_frames = false;      // those of libraries too
};

// One column a thread, the source under each step, the decisive switch, who waits for whom, the stacks of a race.
std::string interleaving_text(const Interleaving& interleaving, SourceLines& source, const TextStyle& style = {});

// "a data race between thread 0.0 at bank.c:5 and …": the bug in one line.
std::string bug_line(const BugReport& bug);

// "about 3300 (1000 to 12000)", to two digits.
std::string estimate_text(const Estimate& estimate);

// Everything of a verdict but the interleavings. `target` names the program for the user.
std::string verdict_text(const Verdict& verdict, const std::string& target, bool quiet);

}  // namespace inspect::report
