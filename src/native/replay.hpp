// A recorded schedule run again and compared step by step, for people and for gdb.
//
// Guarantees: the verdict is a bug only if the recorded one was seen under the recorded steps. Deliberately unknown here: where
// the schedule and its program come from.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "compile/target.hpp"
#include "hooks/channel.h"
#include "model/schedule.hpp"
#include "model/verdict.hpp"
#include "native/bug.hpp"
#include "process/debugger.hpp"
#include "report/text.hpp"

namespace inspect::native {

struct ReplayOptions {
  std::string path;  // of the schedule file
  inspect_configuration configuration{};
  bool all_turns = false;            // see process::Shown
  std::optional<double> time_limit;  // seconds
  std::optional<std::uint64_t> memory_limit;
  std::optional<process::DebuggerOptions> debugger;  // once more under gdb
  report::TextStyle style = {};
  bool quiet = false;                                                 // does not print what leads to the bug
  std::function<void(const ShownBug&, const compile::Target&)> draw;  // writes the bug in other forms than text; may be empty
  std::function<void(const std::string&)> say;                        // prints what comes before the verdict
};

struct Replayed {
  Verdict verdict;
  std::string name;  // of the target
};

// Error: the standard input is not as it was recorded, or the system refuses what is needed.
Result<Replayed> replay(const ScheduleFile& file, compile::Target target, const ReplayOptions& options);

}  // namespace inspect::native
