// Signals that interrupt a thread: sent to it by another one, and handled at a place that is not its choice.
//
// A signal that is sent is a write of an object of the receiver's, which that reads before each of its operations; it takes it
// there and runs the handler, or leaves that to a later operation (delivery takes time): both are explored. After an operation
// for which it had to wait, or a join, it takes it. One for the process is a write of the objects of all threads, and taken by
// whoever comes first. A thread that waits has looked before, as with cancellation (cancel.hpp). What a handler shares with the
// code it interrupts, or with another handler, becomes a scheduling point, and what was explored before is void.
// Guarantees: a program that does not both install handlers and send signals to threads has no operation more. Deliberately not
// modelled, refused by name: calls that fail with EINTR, but for sem_wait, sleeps and waits for a signal. Named, which takes
// the verdict away: what a handler does that matters within a call or copy, in errno, by a jump, or is not async-signal-safe.
#pragma once
#include <cstdint>

#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// Is a thread interrupted by what others send?
inline bool signals_interrupt() {
  const State& s = state();
  return s.uses.sends_signals && s.uses.handles_signals && s.running && s.execution.created > 1;
}
// The current thread is about to announce `o`, for which it may have to wait: handlers may run first.
void take_signals_before(const Operation& o, bool may_wait);
enum class Interruption { none, restarts, fails };
// The current thread waits in a call: has a handler run, and does the call then go on? `none`: its next operation looks no
// more.
Interruption interrupted_call(std::uint32_t site);
// What handlers share with the code they interrupt, or with each other, becomes a scheduling point. A call or copy may be
// interrupted in the middle, which is not explored.
enum class AccessBy { instruction, call };
void note_access_of_handlers(std::uintptr_t address, std::size_t size, bool write, AccessBy by);
// The handler that runs, if it interrupts the current thread, does what is not covered wherever it does so.
void note_unsafe_handler(const char* what);
// A call of a function that a handler must not call where it may have interrupted another one.
void note_unsafe_call(const char* name);
// Does the program, by the names that it calls, need any of this? At boot.
void find_use_of_signals(const char* library_function);

// A new thread starts with its creator's mask.
void signals_thread_created(std::uint8_t parent, std::uint8_t child);
// Control has left the frames below the stack pointer, by a jump or an exception, and with them handlers.
void leave_handlers_below(std::uintptr_t pointer);

}  // namespace inspect::runtime
