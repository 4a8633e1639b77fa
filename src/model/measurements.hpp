// What a search counted and measured: carried by its outcome, and by the verdict that came of it.
//
// Guarantees: nothing here bears on the verdict. Deliberately unknown here: how a search goes, and how a report puts it.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace inspect {

// What symmetry was good for.
struct Symmetries {
  std::uint64_t checks = 0;     // transitions compared with those explored before from the same state
  std::uint64_t successes = 0;  // of these: skipped, as mirror images
  double seconds = 0;           // what finding out took in the program
};

// What property-driven pruning was good for.
struct Pruning {
  std::uint64_t checks = 0;     // backtrack points of which it was asked whether all that follows is free of races
  std::uint64_t successes = 0;  // of these: it is
  std::map<std::string, std::uint64_t> limits;  // of the others: why not, and how often
};

// What a sampler saw.
struct Sampled {
  std::uint64_t classes = 0;  // of equivalent executions, among those that ended
  bool more_classes = false;  // there were more than are counted
  unsigned pct_depth = 0;     // 0: not pct
  double pct_bound = 0;       // probability that one execution finds a given bug of that depth, at least
};

// Of the number of complete executions that the whole search has: docs/algorithms.md says how, and what the spread means.
struct Estimate {
  double executions = 0, low = 0, high = 0;
};

struct Measurements {
  std::uint64_t executions = 0;   // that ended, with a bug or without
  std::uint64_t redundant = 0;    // cut because only sleeping transitions were enabled
  std::uint64_t transitions = 0;  // executed and reported, replayed prefixes not counted
  std::uint64_t max_depth = 0;
  unsigned threads = 1;
  double seconds = 0;
  std::optional<std::uint64_t> states;  // distinct ones, of a stateful search
  std::optional<Symmetries> symmetries;
  std::optional<Pruning> pruning;
  std::optional<Estimate> estimate;  // if something is left and there is something to go by
  std::optional<Sampled> sampled;    // only by a sampler
};

}  // namespace inspect
