// Cancellation: requests, the points where a thread acts on them, and its cleanup handlers.
//
// A request is a write of an object of the thread's, which the thread reads at its cancellation points; so every order of the
// two is explored as any race is. A thread that waits at such a point has looked before: woken by a request it would be in the
// state of one that looks later, so who is asked while it waits just waits on, and if nobody can go on then, the execution is
// left without a verdict. Guarantees: a program that never calls pthread_cancel has no operation more. Between the plain
// accesses of a thread with asynchronous cancellation the request is noticed before each write that others may see.
// Deliberately not modelled, refused by name: asynchronous cancellation inside calls and copies of more than one instruction,
// and in destructors at a thread's end.
#pragma once
#include <cstdint>

#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// Called for each frame that unwinding leaves, with its stack pointer. If the innermost handler stands in a frame already
// left: jumps there; the handler runs and comes back by __pthread_unwind_next. Else returns.
void jump_to_cleanup(std::uintptr_t frame);

// A step that looks for a request; false at once if the program cancels nothing, or the thread must not be cancelled now.
bool cancellation_requested(std::uint32_t site);
[[noreturn]] void act_on_cancellation(std::uint32_t site);
// Acts on a request. Returns the site.
std::uint32_t cancellation_point(std::uint32_t site);
// A point at which the thread may act on a request, or leave it to the next: both are explored.
std::uint32_t possible_cancellation_point(std::uint32_t site);
// The current thread is about to announce `o`: with asynchronous cancellation, the request may come first.
void cancel_before(const Operation& o);
// Is its cancellation asynchronous, such that it may be ended anywhere?
inline bool may_be_cancelled_within() {
  const State& s = state();
  return s.uses.may_cancel_anywhere && s.running && s.current->cancel.asynchronous;
}
// The current thread is then about to do what is not one step, and what it leaves behind half done is not known. A step that
// looks for a request: there is none, or the program is refused.
void cancel_within(const char* call, std::uint32_t site);

// Does the thread wait, and was asked meanwhile? Then it would not wait any more.
bool cancellation_is_due(const Thread& t);
// Was the thread asked to end, wherever it is?
bool is_cancelled_anywhere(const Thread& t);
// Does the program, by the names that it calls, need any of this? At boot.
void find_use_of_cancellation(const char* library_function);

}  // namespace inspect::runtime
