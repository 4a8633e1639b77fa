// States that are alike but for which of their threads is which.
//
// The threads that main has created and nobody holds a handle of are sorted, and the state is described as if they had been
// created in that order: their numbers, stacks, thread-local variables, and places in synchronisation objects trade places.
// Guarantees: whichever order is taken, states that are described the same way go on the same way but for the names of threads;
// a better order only finds more of them. Main, about to join threads in a row, is described without the order in which it
// joins them. Where what tells threads apart could not be renamed, none are. Deliberately unknown here: what a search makes of
// it.
#pragma once
#include "runtime/platform/state.hpp"
#include "runtime/states/identity_value.hpp"
#include "runtime/upcalls/thread_names.hpp"

namespace inspect::runtime {

// Wherever the objects of the heap lie. False if that cannot be told. `names`: null where threads keep their numbers.
// `pinned`: gets the threads that cannot trade places.
bool describe_canonically(const State& s, const ThreadNames* names, Identity& id, Mask* pinned = nullptr);

// And whichever thread is which. False where that is not to be had.
bool identity_by_order(const State& s, Identity& id);

// The current thread announces an operation: what is to be known of threads before they may trade places
// (inspect_channel::threads_told_apart, join_rows). One change makes what was explored void.
void note_thread_facts(const Thread& t);

}  // namespace inspect::runtime
