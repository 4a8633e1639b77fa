// The search's choices, and where executions and threads begin and end.
#pragma once
#include "runtime/upcalls/points.hpp"

namespace inspect::runtime {

// Takes the first transition, main's start, from the host stack; returns at the end of the execution.
void begin_first_step(Thread& main);
// The current thread has performed its last transition.
[[noreturn]] void leave_thread();
// First thing on a new fiber: opens the record of the ThreadStart that was chosen.
void start_step();

}  // namespace inspect::runtime
