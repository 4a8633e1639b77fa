// Threads that are blocked in loops (spin.hpp), when nothing else can run: would one of them go on?
//
// Each takes another turn, a probe; nothing of it is logged. Who does something that is no turn in vain goes on. Who finds a
// lock taken waits, and gets it when the turn of another gives it away. What cannot be told that way is an open question, never
// a silence: the execution then ends as a limit.
#pragma once
#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// Of one execution.
struct Probes {
  std::uint32_t steps;
  unsigned rounds;
  bool paused;   // since the round began: some thread has found a lock taken that it needs
  bool offered;  // some of them got it during the turn of another
};
inline Probes& probes() { return part<Probes>(Part::probes); }

// The places of an object, as a set with chance hits.
std::uint64_t object_bits(std::uint64_t object, std::uint32_t size);
// In a probe: the thread has given up a lock within a turn. Others that wait for it have it now.
void offer_lock(State& s, Thread& t);
// In a probe: what the thread does next may depend on the state of an object that others change for a moment.
void note_tried(Thread& t, const Operation& o);
// In a probe: a turn was in vain. Others take theirs.
void end_turn(State& s, Thread& t);
// No thread is enabled. The next blocked thread that has to show whether it would go on; null: none of them would, or there is
// none.
Thread* next_probe(State& s);
// In a probe, instead of announcing `o` for others: the alternative that is taken.
unsigned probe_visible(State& s, Thread& t, const Operation& o, Guard guard);

}  // namespace inspect::runtime
