// One execution of the program, as a request of the explorer asks.
#pragma once
#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// Runs the request to its end and fills results[slot]; the caller restores the program afterwards. On the host stack.
// checkpoint_at: as in Request.
void run_request(const inspect_request& request, unsigned slot, std::uint64_t checkpoint_at = ~0ull);
// What of the state says which request is run; its result begins at the cursor.
void set_request(const inspect_request& request, unsigned slot);

// What main is given.
struct ProgramArguments {
  int count;
  char** values;
  char** environment;
};
inline ProgramArguments& program_arguments() { return part<ProgramArguments>(Part::arguments); }

}  // namespace inspect::runtime
