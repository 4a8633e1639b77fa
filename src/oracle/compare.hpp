// Checks a search against brute force: does it cover all behaviours of a model program, and nothing else?
#pragma once
#include <optional>
#include <string>

#include "oracle/enumerate.hpp"
#include "search/search.hpp"

namespace inspect::oracle {

struct Comparison {
  std::string wrong;                                           // empty: the search is right
  bool left_out = false;                                       // the bound on preemptions left schedules out
  std::uint64_t executions = 0, redundant = 0, successes = 0;  // of symmetry
};

// Runs `algorithm` with batches of `batch` and compares with `all`, which was enumerated with the same bound on preemptions.
// `at_most_once`: no class may be executed twice (checked where no bug cuts executions short).
Comparison compare(const ModelProgram& program, const Behaviours& all, const std::string& algorithm, unsigned batch,
                   bool at_most_once, std::optional<unsigned> preemptions = std::nullopt);
// With symmetry, for dpor or sdpor: the same states at the end, but for names of threads, and the same kinds of bugs.
Comparison compare_symmetric(const ModelProgram& program, const Behaviours& all, const std::string& algorithm,
                             unsigned batch = 1);

// Has an execution of the program a data race? All schedules are run, with plain accesses as transitions; if there are more
// than `limit`, one of each class; nothing if these are too many as well.
std::optional<bool> has_data_race(const ModelProgram& program, std::uint64_t limit);
struct RaceComparison {
  std::string wrong, limits;  // limits: why parts were not pruned
  std::uint64_t executions = 0, checks = 0, successes = 0;
};
// Does pdp find a data race if and only if there is one, or another bug if this one hides the race from all schedules that
// switch threads between synchronisations alone? seed: what is known of the code is made coarser by it.
RaceComparison compare_races(const ModelProgram& program, bool racy, unsigned batch,
                             std::optional<std::uint64_t> seed = std::nullopt);

// Runs the schedule again, from the start, and compares every event: empty if they agree.
std::string verify_replay(const ModelProgram& program, const std::vector<Choice>& schedule, std::span<const Event> events);

}  // namespace inspect::oracle
