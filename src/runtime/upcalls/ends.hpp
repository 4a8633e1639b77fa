// What the floors below ask of the end of an execution (ending.cpp): which end it is when nothing can go on, and the process's
// own end.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// Nothing is enabled and a thread has asked for the process's end: lets it finish.
void begin_process_end(State& s);
// Nothing is enabled: ends the execution if that is for a reason that says nothing about the program (a failed assumption, a
// time-out that is explored elsewhere).
void end_without_verdict(State& s);
// Nothing is enabled, nor would a loop that waits go on: ends the execution if a thread waits for something outside the
// process.
void end_outside(State& s);
// Nothing is enabled, and nothing ever will be.
[[noreturn]] void end_deadlocked(State& s);
// Ends a completed execution: checks the exit status.
[[noreturn]] void complete(int status);
// exit(), _exit(), quick_exit(), main's return: which handlers run is the caller's choice. The first one fixes the status,
// unless one of its handlers ends the process with another. aborted: abort(), where that is an end whose status nobody minds.
enum class ExitKind { handlers, quick_handlers, immediate, aborted };
inline constexpr int kAbortedStatus = 134;
[[noreturn]] void process_exit(int status, ExitKind kind, std::uint32_t site);
void flush_output();

// Ends the present execution: back to the host stack.
[[noreturn]] void end_execution(inspect_end end, std::uint32_t detail, int status);

}  // namespace inspect::runtime
