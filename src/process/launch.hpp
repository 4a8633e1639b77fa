// How the program under test is started: alike by the executor and under a debugger.
//
// Guarantees: both see the same arguments, environment, standard descriptors and addresses.
#pragma once
#include <string>
#include <vector>

#include "base/result.hpp"

namespace inspect::process {

struct Launch {
  std::string program;
  std::vector<std::string> arguments;  // without the program's name
  int channel, input, output;          // descriptors
};

// What the program finds in its environment: this process's, without what speaks to inspect, or to mpirun's ranks, and differs
// from one run of a check to the next. "NAME=value", sorted.
std::vector<std::string> program_environment();

// Becomes the program; returns the error number if that fails.
int execute(const Launch& launch);

// Writes the launch and this process's environment to a new descriptor, for execute_saved() in a descendant, through
// whatever processes stand between; it and the launch's own descriptors are inherited from now on.
Result<int> save_launch(const Launch& launch);
int execute_saved(int descriptor);

}  // namespace inspect::process
