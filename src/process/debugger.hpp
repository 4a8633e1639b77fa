// gdb on a program under one schedule.
//
// gdb starts the program by way of a launcher (`inspect --launch`), so that the program has the environment, arguments,
// descriptors and addresses of a replay; the runtime runs the request that waits in the channel, on OS threads, and stops in
// inspect_stopped() where the execution ends. Each `run` in gdb runs it anew.
//
// Deliberately unknown here: what became of the execution.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "process/executor.hpp"

namespace inspect::process {

struct DebuggerOptions {
  std::string launcher;                // this executable
  std::vector<std::string> arguments;  // further ones of gdb
  bool results_on_stderr = false;      // standard output belongs to someone else
};

// Path of gdb; nothing if it is not installed.
std::optional<std::string> find_gdb();

// Runs gdb until it ends. With neither arguments nor a terminal it shows threads and stacks where the execution ended, and
// ends; the program's input is never gdb's. The executor's own process stays as it is, idle. Error: gdb could not be started.
std::optional<Error> run_debugger(Executor& executor, const DebuggerOptions& options);

}  // namespace inspect::process
