// Infinite runs that are shown again (INSPECT_REQUEST_CYCLE): a prefix, and a cycle that leads back to where it began.
//
// Guarantees: such a run ends as the bug "temporal" only where its last state is the one in which its cycle began, as
// identities tell states, with the same propositions; else it diverges.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// The state after a step is complete.
void watch_cycle(State& s);
// Is the end of the program what is shown: a run that ends stutters there for ever?
inline bool shows_end(const State& s) {
  return s.request.message && s.request.message->flags & INSPECT_REQUEST_CYCLE && !s.request.message->cycle;
}

}  // namespace inspect::runtime
