// One execution of the program, as a request of the explorer asks.
#pragma once
#include "runtime/state.hpp"

namespace inspect::runtime {

using MainFunction = int (*)(int, char**, char**);
// The program's, instrumented or not.
MainFunction main_of_program();

// Runs the request to its end and fills results[slot]; the caller restores the program afterwards. On the host stack.
void run_request(const inspect_request& request, unsigned slot);

// Before main there is no execution that a report could end: the program cannot be checked.
[[noreturn]] void fail_before_main(const char* message);

}  // namespace inspect::runtime
