// Explores a program: the one entry point of search/.
//
// explore() runs the program under every schedule that the chosen reduction asks for, until nothing is left, a limit is
// reached, or a bug is found. Guarantees: `exhausted` is true only if every schedule that could behave differently was run to
// its end; if it is false, why_not says why. The same program and options give the same outcome for every batch size, except
// for the number of redundant executions. Deliberately unknown here: verdicts, texts, processes.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/execution.hpp"
#include "model/measurements.hpp"
#include "search/core/program.hpp"

namespace inspect::search {

struct Outcome;

struct Options {
  std::string algorithm = "auto";       // a row of reductions.def or samplers.def, or auto
  std::uint64_t max_executions = 0;     // complete ones; 0: no limit
  std::uint64_t max_states = 0;         // of a stateful search; 0: no limit
  double time_limit = 0;                // seconds; 0: no limit
  bool symmetry = false;                // skips what differs only by a swap of symmetric threads
  bool keep_going = false;              // collect distinct bugs instead of stopping at the first
  std::uint64_t seed = 0;               // of the samplers
  unsigned pct_depth = 3;               // depth of the bugs that pct looks for; at least 1
  std::optional<unsigned> preemptions;  // limit on switches away from an enabled thread; not with every algorithm
  // Limit on the steps of all executions since the first that was given up in an endless loop.
  std::uint64_t endless_steps = 3'000'000;
  unsigned batch = 0;  // executions under way at once; 0: what the program prefers
  // A reason to end the search now, such as ^C or no memory left. May be empty.
  std::function<std::optional<std::string>()> must_end;
  std::function<bool(const Outcome&)> enough;  // has the search found what it is looking for? May be empty.
};

struct FoundBug : Stop {
  std::vector<Choice> schedule;  // the whole execution
  std::vector<Event> events;
  std::uint64_t executions_before = 0;
};

// An execution that ended early: at a limit of the runtime, at something unsupported, or because it did not repeat.
struct CutExecution : Stop {
  std::vector<Choice> schedule;
};

struct Outcome : Measurements {
  std::vector<FoundBug> bugs;  // distinct
  std::uint64_t limited = 0;   // executions cut by a limit of the runtime
  bool exhausted = false;
  // The program does something that the chosen algorithm or its cut does not support; the algorithm that `auto` stands for
  // explored it.
  bool fell_back = false;
  std::vector<std::string> left_out;  // what cuts left out although nothing covers it, in words; each text once
  std::string why_not;                // if not exhausted
  std::optional<CutExecution> limit;  // the first of each kind
  std::optional<CutExecution> unsupported;
  std::optional<CutExecution> divergence;
};

// Watches a search. Called from explore(), in order.
class Observer {
 public:
  virtual ~Observer() = default;
  // Every execution that came back, with all its events from the initial state. Costs O(length): only if wants_executions().
  virtual void on_execution(const Execution&, std::span<const Event* const> /*events*/) {}
  [[nodiscard]] virtual bool wants_executions() const { return false; }
  // The search starts, or starts again: what came before is void.
  virtual void on_start() {}
  virtual void on_progress(const Outcome&) {}  // after each batch; `seconds` is up to date
  // Should the next on_progress have an estimate? It costs a walk over the open part of the tree.
  [[nodiscard]] virtual bool wants_estimate() const { return false; }
};

// Precondition (CHECK): options.algorithm is `auto` or a row of reductions.def or samplers.def.
Outcome explore(Program& program, const Options& options, Observer* observer = nullptr);

}  // namespace inspect::search
