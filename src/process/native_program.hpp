// A program under test as a search sees it: schedules in, executions out.
//
// Guarantees: run() survives every death of the executor – a crash is a bug of that execution, a killed process a limit – and
// goes on with the rest of the batch in a new process.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "process/debugger.hpp"
#include "process/executor.hpp"
#include "process/names.hpp"
#include "search/program.hpp"

namespace inspect::process {

// A plain access or stack frame seen in a verbose run, in the order of the execution.
struct Access {
  std::size_t step;  // index of the step whose transition it belongs to
  ThreadId thread;
  Operation operation;
  std::uint64_t value;
};

// One execution with everything a report shows.
struct VerboseRun {
  Execution execution;
  std::vector<Access> accesses;
  std::vector<std::vector<std::uint64_t>> stacks;  // per step: return addresses, innermost first
  std::vector<std::uint64_t> bug_stack;            // where the thread of the bug was then
  std::map<std::uint64_t, HeapObject> heap;
  std::string output;
};

class NativeProgram final : public search::Program {
 public:
  explicit NativeProgram(std::unique_ptr<Executor> executor) : executor_(std::move(executor)) {}
  std::vector<Execution> run(std::span<const search::Request> requests) override;
  bool take_change() override;
  // Creation paths of threads by number, and how many locations became scheduling points.
  [[nodiscard]] std::string knowledge() const override;
  bool learn(const std::string& knowledge) override;
  [[nodiscard]] bool stays(std::uint64_t object) const override;
  [[nodiscard]] bool addresses_used() const override;
  [[nodiscard]] double seconds_of_twins() const override;
  // Of an executable built with --inspect-code; else nothing may be relied on.
  [[nodiscard]] const search::Code* code() override;
  [[nodiscard]] unsigned preferred_batch() const override { return 16; }
  // visible=all: finds, by a few hundred fixed executions, which locations threads share, so that a search need not start again
  // for them and a replay in a new process meets the same scheduling points.
  void find_shared_locations();
  // Replays the whole schedule with accesses, stacks, allocations and the program's output.
  VerboseRun run_verbose(const std::vector<Choice>& schedule);
  // The same under gdb. Nothing if gdb ended before the execution did.
  Result<std::optional<VerboseRun>> debug(const std::vector<Choice>& schedule, const DebuggerOptions& options);
  Executor& executor() { return *executor_; }

 private:
  struct Part {  // of a batch: what one message carries
    std::size_t first, count;
  };
  VerboseRun run_verbose_once(const std::vector<Choice>& schedule);
  std::size_t encode(std::span<const search::Request> requests, std::uint32_t flags);
  void run_part(std::span<const search::Request> requests, std::uint32_t flags, std::vector<Execution>& results);
  void replace_executor();
  Execution decode(unsigned slot, std::size_t known, VerboseRun* verbose) const;
  Execution died(const Death& death) const;

  std::unique_ptr<Executor> executor_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::uint64_t first_tick_ = __builtin_ia32_rdtsc();
  VerboseRun* verbose_ = nullptr;
  std::optional<search::Code> code_;
  std::uint32_t shared_seen_ = 0;  // visible=all: how often a location had become shared
};

}  // namespace inspect::process
