// gdb on a program under one schedule.
//
// gdb starts the program by way of a launcher (`inspect --launch`), so that the program has the environment, arguments,
// descriptors and addresses of a replay; the runtime runs the request that waits in the channel, on OS threads, and stops in
// inspect_stopped() where the execution ends, and in inspect_at_step() before the step that the channel names. Each `run` in
// gdb runs it anew. gdb/commands.py are the commands that its user has for that.
//
// Deliberately unknown here: what became of the execution.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "process/executor.hpp"

namespace inspect::process {

// A line of the interleaving, as gdb's user is shown it.
struct DebuggerLine {
  std::size_t step = 0;  // from 1; 0: belongs to the step above
  std::string thread, action, place;
  bool decisive = false;  // the switch to it is the decisive one
};

struct DebuggerOptions {
  std::string launcher;                // this executable
  std::vector<std::string> arguments;  // further ones of gdb
  bool results_on_stderr = false;      // standard output belongs to someone else
  std::vector<DebuggerLine> lines = {};
};

// Path of gdb; nothing if it is not installed.
std::optional<std::string> find_gdb();

// Runs gdb until it ends. With neither arguments nor a terminal it shows threads and stacks where the execution ended, and
// ends; without arguments, at a terminal, it stops before the decisive switch first. The program's input is never gdb's. The
// executor's own process stays as it is, idle. Error: gdb could not be started.
std::optional<Error> run_debugger(Executor& executor, const DebuggerOptions& options);

}  // namespace inspect::process
