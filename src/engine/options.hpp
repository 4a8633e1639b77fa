// What a check is asked for, as values: filled by cli/, read by the engines.
//
// Guarantees: each value is well-formed and within its range. Deliberately unknown here: how options are spelt, and which
// engine reads which.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hooks/execution.h"

namespace inspect::engine {

struct Options {
  std::vector<std::string> arguments;  // of the program
  std::string algorithm = "auto";
  std::optional<std::string> visible;  // none: what the algorithm, or the engine, relies on
  std::string races = "stop";
  std::string suppressions, baseline;                     // files of bugs known before; empty: none
  std::string checkpoint, resume;                         // files; empty: none
  std::optional<double> checkpoint_interval, time_limit;  // seconds
  std::optional<std::uint64_t> max_executions, max_states, max_steps, memory_limit, checkpoint_memory;
  std::optional<unsigned> preemptions, pct_depth;
  std::vector<inspect_input_range> inputs;  // values of inputs without bounds; empty: a few of each type
  std::optional<int> expected_exit = 0;     // none: any
  std::uint64_t seed = 0;
  unsigned workers = 1;
  // Of the explicit engine.
  std::optional<std::string> ltl;  // a formula
  bool weak_fairness = false;
  std::string heap = "canonical", thread_symmetry = "off", independence = "none", visited = "hash";
  // Of the symbolic engine.
  std::optional<unsigned> bound;  // how often loops are unrolled; none: more and more often
  std::string encoding = "auto", dump_cnf;
  std::optional<std::string> por;  // of the step encoding
  bool dump_transitions = false;
  // Of several.
  bool mpi = false, symmetry = false, keep_going = false, spurious_wakeups = false, abort_ends = false;
  bool progress = false;     // on standard error
  bool all_frames = false;   // where a bug is shown: frames of libraries too
  double minimise = 0;       // seconds spent on making a bug's schedule short
  bool wants_pages = false;  // a page for a browser for each bug
  unsigned width = 150;      // characters of a line where a bug is shown
};

}  // namespace inspect::engine
