// Taking the program back to the state in which main was about to start, within the process.
//
// Guarantees: after restore(), writable data of the executable and of every library, heap, stacks, TLS and thread-locals are as
// they were at take_snapshot(). Deliberately unknown here: descriptors and files (files.hpp).
#pragma once
#include "runtime/state.hpp"

namespace inspect::runtime {

// Null, or why this program's state cannot be kept.
const char* take_snapshot();
void restore();
// Zeroed block for a thread's thread_local variables at its fixed address.
void* allocate_thread_locals(unsigned thread, std::size_t size);

}  // namespace inspect::runtime
