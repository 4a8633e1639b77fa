// A program under test as a search sees it: schedules in, executions out.
//
// Guarantees: run() survives every death of the executor – a crash is a bug of that execution, a killed process a limit – and
// goes on with the rest of the batch in a new process.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "process/debugger.hpp"
#include "process/executor.hpp"
#include "process/names.hpp"
#include "search/core/program.hpp"
#include "search/search.hpp"

namespace inspect::process {

// A plain access or stack frame seen in a verbose run, in the order of the execution.
struct Access {
  std::size_t step;  // index of the step whose transition it belongs to
  ThreadId thread;
  Operation operation;
  std::uint64_t value;
};

// An object of the heap that was freed.
struct EndOfObject {
  std::size_t step;
  ThreadId thread;
  Operation operation;
  std::size_t accesses_before = 0;  // of those that are recorded
  Stack stack = {};
};

// One execution with everything a report shows.
struct VerboseRun {
  Execution execution;
  std::vector<Access> accesses;
  std::vector<Stack> stacks;          // per step
  Stack bug_stack;                    // where the thread of the bug was then
  Stack other_stack;                  // of a race: where the other thread was at the earlier access
  std::map<ThreadId, Stack> waiting;  // of an execution that is stuck
  std::map<std::uint64_t, HeapObject> heap;
  std::vector<EndOfObject> ends;
  std::map<std::uint64_t, std::uint64_t> points;  // plain memory whose accesses were steps: bytes by address
  std::string output;
  std::optional<std::uint64_t> cycle = {};  // as it was shown
};

// A race that did not end its execution (inspect_configuration::races_go_on). Its schedule leads to it, with as many scheduling
// points as there were.
struct NotedRace {
  search::FoundBug bug;
  std::uint32_t points = 0;
};

// An access whose stack is wanted; a site of 0: none.
struct WatchedAccess {
  std::uint32_t site = 0;
  ThreadId thread = 0;
  std::uint64_t address = 0;
};
// Did the execution end in two accesses without order? One of them may free the object.
bool is_unordered(const Execution& execution);
// The earlier one of the race that the execution ended in.
WatchedAccess earlier_access(const Execution& execution);

// How an execution is shown again, where data races do not end it.
struct Shown {
  std::uint32_t points = INSPECT_ALL_POINTS;
  bool stops_at_race = false;      // that is met once the schedule was followed …
  std::uint32_t passed_races = 0;  // … but for so many
  WatchedAccess watched = {};
  bool all_turns = false;  // it was found where loops that wait take turns in vain
  // An infinite run, with all_turns: the schedule's last steps, so many, for ever, or 0: the end of the program.
  std::optional<std::uint64_t> cycle = {};
};

class NativeProgram final : public search::Program, private search::Swaps, private search::Numbering {
 public:
  explicit NativeProgram(std::unique_ptr<Executor> executor) : executor_(std::move(executor)) {}
  std::vector<Execution> run(std::span<const search::Request> requests) override;
  bool take_change() override;
  [[nodiscard]] search::Swaps& swaps() override { return *this; }
  [[nodiscard]] search::Numbering& numbering() override { return *this; }
  // Of an executable built with --inspect-code; else nothing may be relied on.
  [[nodiscard]] const search::Code* code() override;
  [[nodiscard]] unsigned preferred_batch() const override { return 16; }
  // Finds, by a few hundred fixed executions, which locations become scheduling points, so that a search need not start again
  // for them and another process knows the same ones.
  void find_points();
  [[nodiscard]] const std::vector<NotedRace>& races() const { return races_; }
  // Replays the whole schedule with accesses, stacks, allocations and the program's output.
  VerboseRun run_verbose(const std::vector<Choice>& schedule, const Shown& shown = {});
  // The same under gdb. Nothing if gdb ended before the execution did.
  Result<std::optional<VerboseRun>> debug(const std::vector<Choice>& schedule, const DebuggerOptions& options,
                                          const Shown& shown = {});
  Executor& executor() { return *executor_; }

 private:
  // Creation paths of threads by number, and how many locations became scheduling points.
  [[nodiscard]] std::string knowledge() const override;
  bool learn(const std::string& knowledge) override;
  [[nodiscard]] bool stays(std::uint64_t object) const override;
  [[nodiscard]] bool addresses_used() const override;
  [[nodiscard]] bool threads_told_apart() const override;
  [[nodiscard]] double seconds_of_symmetry() const override;

  struct Part {  // of a batch: what one message carries
    std::size_t first, count;
  };
  VerboseRun run_verbose_once(const std::vector<Choice>& schedule);
  void take_turns(search::Request& request) const;
  void find_other_stack(VerboseRun& run, const std::vector<Choice>& schedule, std::uint32_t points);
  [[nodiscard]] std::uint32_t points_shown() const {
    return std::min(shown_.points, executor_->channel().shared_locations_grew);
  }
  std::size_t encode(std::span<const search::Request> requests, std::uint32_t flags);
  void run_part(std::span<const search::Request> requests, std::uint32_t flags, std::vector<Execution>& results);
  void replace_executor();
  void take_points(VerboseRun& run, std::uint32_t known) const;
  bool take_races(unsigned slot, const search::Request& request, const Execution& execution);
  [[nodiscard]] std::string points_known() const;
  void learn_points(std::string_view others);
  [[nodiscard]] std::uint32_t verbose_flags() const;
  [[nodiscard]] unsigned threads() const;  // that have numbers
  std::optional<Execution> decode(unsigned slot, const search::Request& request, VerboseRun* verbose) const;
  Execution died(const Death& death) const;

  std::unique_ptr<Executor> executor_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::uint64_t first_tick_ = __builtin_ia32_rdtsc();
  VerboseRun* verbose_ = nullptr;
  std::optional<search::Code> code_;
  std::optional<std::string> lost_;  // why there is no executor any more
  bool refusal_seen_ = false;        // loads that wait for a value are not treated as such any more
  std::uint32_t shared_seen_ = 0;    // how often a location had become a scheduling point
  std::uint32_t thread_facts_seen_ = 0;
  std::vector<NotedRace> races_;
  std::uint64_t ended_ = 0;  // executions that did
  Shown shown_;
};

}  // namespace inspect::process
