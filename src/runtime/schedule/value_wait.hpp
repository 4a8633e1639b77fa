// Loads of loops that only wait for a value: enabled where they find one with which the loop ends, as a lock is where it is
// free.
//
// The turns in vain are not taken: nobody sees them, and they leave the thread as it was (docs/algorithms.md). Guarantees: a
// race of such a turn with a plain access is not lost; where there may be one, waiting of this kind is refused for good, and
// what was explored with it is void. Which loops these are, the pass says (instrument/pass/waits.cpp).
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// May the current thread, about to read there, wait for a value? Of a thread this depends on what it did itself alone.
bool may_wait_for_value(std::uint64_t address, unsigned size);
// Of a load that waits.
Mask value_guard(const Thread& t);
// Has it been announced, and not been taken?
bool waits_for_value(const State& s, const Thread& t);
bool any_waits_for_value(const State& s);
// The thread's load waits, or is about to find its value: turns in vain would have raced with what is there.
void refuse_unordered_wait(unsigned thread, const Operation& o);
void refuse_unordered_waits(const State& s);

}  // namespace inspect::runtime
