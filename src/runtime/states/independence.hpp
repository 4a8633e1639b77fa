// Which threads' next transitions are independent of whatever the others can do before them.
//
// It is such a transition of a thread that starts, chooses a value, fences, joins a thread that has ended, ends (where nobody
// asks whether threads have), or touches nothing but what is private: its own stack, thread-local variables and heap objects,
// if no address in the data of program and libraries, in other threads, or in anything they lead to leads there. Others cannot
// come by such an address before the thread itself moves. Guarantees: what cannot be told is no such thread; so is a value that
// looks like an address. Deliberately unknown here: what a search makes of it.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// In a state that has an identity.
Mask independent_threads(const State& s);
// How many objects there are of the heap, freed ones included.
std::uint32_t allocations_so_far(const State& s);

}  // namespace inspect::runtime
