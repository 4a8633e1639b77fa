// A copy of the process, which goes on from where it is: the kernel copies memory as it is changed.
//
// Guarantees: the copy has the same memory at the same addresses, registers and descriptors, is ended when its parent ends, and
// is its parent's to wait for; the C library finds its own thread number in it. Only the runtime can fork: the filter of
// no_processes.hpp lets system calls by one instruction of ours through. Deliberately unknown here: what the kernel keeps for
// both (offsets of open files, pipes).
#pragma once
#include <cstdint>

namespace inspect::runtime {

// A system call that the filter lets through.
extern "C" long inspect_gate(long number, long a, long b, long c, long d, long e);
// The address that the kernel sees for such a call.
std::uintptr_t gate_address();

// False: the C library's notion of its thread number cannot be set.
bool can_fork();
// 0 in the copy; its number in the other; negative: the kernel refused.
long fork_process();
// Returns once the copy has ended of its own accord. If it was ended otherwise, or stopped, so is this process.
void wait_for_copy(long copy);

}  // namespace inspect::runtime
