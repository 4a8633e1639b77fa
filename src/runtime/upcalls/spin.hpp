// Waiting loops (SEMANTICS F): a turn of a loop that leaves the thread as it was and has changed nothing for others need not be
// taken.
//
// At the head of a loop the program hands over what the loop carries; the runtime remembers it, and what the thread does to
// others from there on. A thread that comes back unchanged is blocked for the rest of the execution: what it would do next it
// does as well in the execution without that turn, which the search explores, since every read of the turn is in a race with
// the write that would have let it go on (docs/algorithms.md). When nothing else can run, each blocked thread takes one turn
// more as a probe: if all come back unchanged again, nobody will ever release them, a livelock. std::lock likewise: an attempt
// that finds one of the locks taken gives the others back, so it need not have been made. Guarantees: a loop is never cut for
// what it did before: any effect that is not known to be undone disqualifies the turn.
#pragma once
#include "runtime/upcalls/disturbance.hpp"

// The inline counters of hooks.def.
extern "C" {
__attribute__((visibility("default"))) extern std::int64_t inspect_loop_budget, inspect_loop_entries, inspect_disturbed;
}

namespace inspect::runtime {

// Are turns in vain taken as any others, since the search ends executions in states that repeat? Where time passes none does,
// and where files or signals are used none is known. Where such an execution is only shown again, up to the end of its
// schedule. A loop without visible operations is looked at all the same.
inline bool takes_all_turns(const State& s) {
  if (!s.request.message || !(s.request.message->flags & INSPECT_REQUEST_VISITED)) return false;
  const bool told = !s.execution.time_used && !s.descriptors_touched && !s.execution.signals_touched;
  return told && (s.request.states || s.execution.position < s.request.prefix_length);
}

// The current thread was resumed, or has done something visible: it may be on its way into a loop.
void watch_loops(State& s, const Thread& t);
// A transition of the current thread, as it came out.
// read, written: of an atomic object, what was there and what is there now.
void note_effect(State& s, Thread& t, const Operation& o, std::uint64_t read, std::uint64_t written);
// After a transition: an attempt of std::lock has failed.
void block_failed_attempt(State& s, Thread& t, const Operation& o);
// The current thread is about to write plain memory. Call it only if t.loop_visit_count is not 0.
void note_write(Thread& t, std::uintptr_t address, std::size_t size);

// A call of a library writes there, now or before the thread's next operation: what it changes is not looked at.
void note_library_write(Thread& t, std::uintptr_t address, std::size_t size);

// The current thread has allocated a block of the heap, or is about to free one.
void note_allocation(Thread& t, std::uint32_t site);
void note_free(Thread& t, std::uintptr_t block);

// The current thread took a lock that it holds (1), or gave it back and holds it still (-1): nothing to others, but not undone.
void note_nested_lock(Thread& t, const void* lock, int by);

// Ends the execution as a limit: a loop turns for ever, as far as one can see. Names what it changes at each turn.
[[noreturn]] void give_up_loop(const Thread& t, std::uint32_t site);

// The latest write has been made, and no other thread has run since: has it changed anything?
void settle_write(Thread& t);
// As the program says before a call that may do so.
inline void take_disturbance(Thread& t) {
  if (t.latest_write.size) settle_write(t);
  if (!inspect_disturbed) return;
  inspect_disturbed = 0;
  disturb(t);
}

}  // namespace inspect::runtime
