// How executions end (SEMANTICS E): completion, bugs, limits, deaths of the program.
//
// Guarantees: nothing but a bug, a limit or the completion of everything ends an execution; a death of the program ends the
// execution, not the executor. Deliberately unknown here: how results reach the explorer beyond the channel's result slot.
#pragma once
#include "runtime/upcalls/ends.hpp"

namespace inspect::runtime {

// Signal handlers for deaths and the watchdog; at boot.
void install_death_handlers();
// Ticks of this process; a copy of it begins without.
void start_watchdog();
// It begins to count: an execution begins.
void begin_watchdog();
// Brings the result up to the present step.
void close_result();

}  // namespace inspect::runtime
