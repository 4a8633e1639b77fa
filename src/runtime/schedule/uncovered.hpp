// Code that nobody sees: what it does to memory, and for whom it waits, is not known.
//
// Guarantees: once a second thread was created, an execution that runs such code takes the verdict away from "verified", and
// the report names what it was and where it stands.
#pragma once
#include "hooks/site.h"
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// The current thread is about to run code that may read, write and synchronise anything. what, name: how the report calls it.
void enter_uncovered(const char* what, const char* name, const inspect_site* site);

// From now on the library uses memory of the program's in calls that do not name it (the buffer of a stream).
// memory: if it may end before the library lets go of it, one thread is enough for that to matter; null: it does not.
void keep_uncovered(const char* what, const void* memory, const inspect_site* site);
// `creator` is about to create a thread: the place that the call returns to.
void about_to_create(const void* creator);
// The second thread of the execution was created. Code that nobody sees may have called who creates it, and goes on when that
// returns.
void threads_are_several();
// Code whose effects are seen: it has hooks, or belongs to a library and touches nothing but what the runtime sees.
bool is_seen_code(const void* function);
// The runtime is about to call, for `caller`, a function that the program handed over.
void about_to_call(const void* function, const char* caller);
template <class R, class... A>
void about_to_call(R (*function)(A...), const char* caller) {
  about_to_call(reinterpret_cast<const void*>(function), caller);
}

}  // namespace inspect::runtime
