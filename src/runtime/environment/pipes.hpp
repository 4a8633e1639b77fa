// Pipes, socket pairs and event counters between the program's own threads: who waits on them is a disabled thread, not a
// blocked process.
//
// The kernel's objects carry the bytes, always in non-blocking mode; the waiting is the scheduler's. Both ends are in the
// program, so that waiting for ever is a deadlock; on a descriptor inherited from elsewhere it is a wait for the outside
// (SEMANTICS E.3).
#pragma once
#include "runtime/environment/descriptors.hpp"
#include "runtime/environment/transfer.hpp"

namespace inspect::runtime {

// Also without an explorer: all threads are one thread of the kernel.
bool is_modelled_pipe(int fd);
long transfer_pipe(OpenFile& file, const Transfer& t, std::uint32_t site);

}  // namespace inspect::runtime
