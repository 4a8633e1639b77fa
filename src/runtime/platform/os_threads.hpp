// The program's threads as threads of the operating system, so that a debugger shows each with its own stack.
//
// A second way to switch, beside that of fiber.hpp: a fiber runs on a bare kernel thread that shares everything with the
// others, the thread pointer included, and a switch hands it the turn by a futex. The main thread stays on the process's own.
//
// Guarantees: only the thread whose turn it is runs; stacks, addresses and thread-local variables are those of fibers, so a
// schedule recorded with fibers goes the same way. Deliberately unknown here: schedules, debuggers.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// For a fiber that is prepared: a kernel thread that waits for its first turn. Main: only the name that a debugger shows.
// False if the system gives no more of them.
[[nodiscard]] bool start_os_thread(Thread& t);
// Returns when something hands the turn back; not at all if `from` has ended.
void hand_over(Thread& from, Thread& to);
// A step from 1 is about to be taken: stops where the debugger asked for it.
void debugger_step(std::uint32_t step);
// From the thread whose turn it is, whichever it is.
[[noreturn]] void hand_over_to_host();

}  // namespace inspect::runtime
