// The subcommands. Each returns the exit status of the process; bad usage is told on standard error.
#pragma once
#include "cli/options.hpp"

namespace inspect::cli {

int run_check(const CommandLine& line);
int run_replay(const CommandLine& line);
int run_report(const CommandLine& line);

}  // namespace inspect::cli
