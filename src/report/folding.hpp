// The lines of an interleaving that a person reads: what only repeats is told once.
//
// Guarantees: no line is left out that is a switch to another thread, is marked, or does what the lines before it did not.
#pragma once
#include <vector>

#include "report/interleaving.hpp"

namespace inspect::report {

struct FoldedLine {
  InterleavingLine line;
  std::size_t last_step = 0;  // steps line.step to last_step are told by this line
  std::size_t first = 0;      // which line of the interleaving it is, the first one that it tells
};

// One for each line of the interleaving.
std::vector<FoldedLine> unfolded(const Interleaving& interleaving);

// Steps in a row within one call of the user's into a library, and turns of a loop, are one line.
std::vector<FoldedLine> folded(const Interleaving& interleaving);

}  // namespace inspect::report
