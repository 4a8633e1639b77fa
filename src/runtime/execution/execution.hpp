// One execution of the program, as a request of the explorer asks.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// Runs the request to its end and fills results[slot]; the caller restores the program afterwards. On the host stack.
void run_request(const inspect_request& request, unsigned slot);

}  // namespace inspect::runtime
