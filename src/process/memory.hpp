// How much memory a process holds.
//
// Guarantees: what a limit of memory is for is counted, also what no process has mapped: page tables, and the memory files that
// the process has open. What of such a file it has mapped too counts twice. Deliberately unknown here: limits.
#pragma once
#include <sys/types.h>

#include <cstdint>

namespace inspect::process {

// Of this process, without what it shares with others.
std::uint64_t own_memory();
// The process that another one has started latest and that has not ended; 0: none.
pid_t child_of(pid_t process);
// Of another one; 0 if there is none. beside: a descriptor of a memory file that all know, counted by what is mapped of it.
std::uint64_t memory_of(pid_t process, int beside);
// The most that it had mapped so far.
std::uint64_t peak_memory_of(pid_t process);

}  // namespace inspect::process
