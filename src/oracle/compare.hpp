// Checks a search against brute force: does it cover all behaviours of a model program, and nothing else?
#pragma once
#include <optional>
#include <string>

#include "oracle/enumerate.hpp"
#include "search/search.hpp"

namespace inspect::oracle {

struct Comparison {
  std::string wrong;                                           // empty: the search is right
  bool fell_back = false;                                      // another algorithm explored it
  bool left_out = false;                                       // the search left schedules out, beyond the bound on preemptions
  std::uint64_t executions = 0, redundant = 0, successes = 0;  // successes: transitions skipped by symmetry
};

// Runs `algorithm` with batches of `batch` and compares with `all`, which was enumerated with the same bound on preemptions.
// `at_most_once`: the number of executions must be that of the classes (checked only if no bug cuts executions short and the
// program has no atomic sections).
Comparison compare(const ModelProgram& program, const Behaviours& all, const std::string& algorithm, unsigned batch,
                   bool at_most_once, std::optional<unsigned> preemptions = std::nullopt);
// With symmetry, for dpor or sdpor: compares the states at the end, but for names of threads, and the kinds of bugs.
Comparison compare_symmetric(const ModelProgram& program, const Behaviours& all, const std::string& algorithm,
                             unsigned batch = 1);

// Does any execution of the program have a data race? All schedules are run, with plain accesses as transitions; if there are
// more than `limit`, one of each class; nothing if these are too many as well.
std::optional<bool> has_data_race(const ModelProgram& program, std::uint64_t limit);
struct RaceComparison {
  std::string wrong, limits;  // limits: why parts were not pruned, in words
  std::uint64_t executions = 0, checks = 0, successes = 0;
};
// Does pdp find a data race if and only if there is one (`racy`)? A miss is accepted if another bug hides the race from all
// schedules that switch threads only at synchronisation. seed: makes what is known of the code coarser; none: exact.
RaceComparison compare_races(const ModelProgram& program, bool racy, unsigned batch,
                             std::optional<std::uint64_t> seed = std::nullopt);

// Runs the schedule from the start, and compares every event: empty if they agree.
std::string verify_replay(const ModelProgram& program, const std::vector<Choice>& schedule, std::span<const Event> events);

}  // namespace inspect::oracle
