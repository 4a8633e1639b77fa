// Virtual time, causal (SEMANTICS B.6): a thread's clock is the maximum over its past in the dependence order plus its own
// reads, sleeps and taken time-outs. No execution ever waits for the real clock.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

inline constexpr std::uint64_t kEpochSeconds = 1'700'000'000;  // what CLOCK_REALTIME says when an execution begins

// An execution begins: all clocks are zero.
void begin_virtual_time();
// The current thread performed this operation: its clock passes those of all that it depends on. Clocks pass by dependence
// alone: else they would tell the order of operations that no search reverses.
void join_object_clocks(const Operation& o);
// The same of all that the atomic section, which ends here, has touched.
void join_section_clocks();
// ns since the execution began; strictly increasing per thread; notes that the program reads the clock.
std::uint64_t read_clock();
// The current thread's clock becomes at least this.
void advance_clock(std::uint64_t to_ns);
inline std::uint64_t present_clock() { return state().current->clock; }

}  // namespace inspect::runtime
