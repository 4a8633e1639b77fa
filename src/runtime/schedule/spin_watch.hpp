// Executions in which a thread only waits, turn after turn, for another to change something, are cut.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// Thread t performed `o`, which found `read`.
void watch_spinning(State& s, Thread& t, const Operation& o, std::uint64_t read);

}  // namespace inspect::runtime
