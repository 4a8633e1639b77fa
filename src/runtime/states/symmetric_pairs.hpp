// Which pairs of threads are symmetric in the present state: swapping them leads to the same state.
//
// A swap is checked as a map from the state to itself, built while both sides are walked together: the frames of one thread are
// compared with those of the other, value by value in canonical order (hooks/frame.h), those of every other thread and all
// memory with themselves; wherever an address of heap, stack or thread occurs on one side, its mirror must stand on the other,
// and objects that are each other's mirrors are compared in turn. Numbers of threads in synchronisation objects must not tell
// the two apart. One exception: a thread that is about to join both in a row may do so in either order (SEMANTICS I.2); that it
// does nothing else until then is for the search to see. Guarantees: what is not known to be symmetric is not reported. Words
// of eight bytes, aligned, count as addresses if they lie in heap, stacks or thread-local blocks. Deliberately unknown here:
// what is skipped because of it.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// Appends a record for each pair. Every thread is at a visible operation or has ended.
void log_symmetric_pairs();

}  // namespace inspect::runtime
