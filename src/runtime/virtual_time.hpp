// Virtual time, causal (SEMANTICS B.6): a thread's clock is the maximum over its past in the dependence order plus its own
// reads, sleeps and taken time-outs. No execution ever waits for the real clock.
#pragma once
#include "runtime/state.hpp"

namespace inspect::runtime {

inline constexpr std::uint64_t kEpochSeconds = 1'700'000'000;  // what CLOCK_REALTIME says when an execution begins

// Joins the clocks of the current thread and the objects of the operation it performed.
void join_object_clocks(const Operation& o);
// ns since the execution began; strictly increasing per thread; notes that the program reads the clock.
std::uint64_t read_clock();
// The current thread's clock becomes at least this.
void advance_clock(std::uint64_t to_ns);
inline std::uint64_t present_clock() { return state().current->clock; }

}  // namespace inspect::runtime
