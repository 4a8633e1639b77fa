// The identity of the present state of the program: a 128-bit hash of everything that decides what can happen from here on.
//
// The state of a thread is what its frame records say (hooks/frame.h): at which point each active function is, by the class of
// its residual code, and what is alive there; besides that its pending operation and what the runtime keeps of it. The rest is
// memory: the program's and the libraries' data, the heap, thread-local variables. Addresses count as they are: they are
// functions of the creation path and of per-thread counts (SEMANTICS B.4), so they need no renaming, and what is noted of a
// state stays valid in every state with the same identity. Guarantees: equal identities, equal futures, but for collisions of
// hashes; a state that cannot be described (a function without a record, one with a variable argument list, open files, …) has
// none. Deliberately not part of it: how threads have synchronised, what was printed.
#pragma once
#include "runtime/states/identity_value.hpp"

namespace inspect::runtime {

// Between a thread's announcement of an operation and the choice of the next: every thread is at such a point or has ended.
Identity identity_of_state();
// Has the state an identity?
bool has_identity();

// The current thread announces an operation, or goes on.
void stop_frames(Thread& t);
void resume_frames(const Thread& t);

}  // namespace inspect::runtime

// Kept by instrumented code, and by the runtime at a switch of threads.
extern "C" {
__attribute__((visibility("default"))) extern void* inspect_frame_top;
__attribute__((visibility("default"))) extern void* inspect_callee;
__attribute__((visibility("default"))) extern std::uint64_t inspect_stops;
}
