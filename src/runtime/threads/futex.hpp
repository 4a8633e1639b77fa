// The futex system call, on which std::future, std::atomic::wait and hand-written locks are built.
//
// Guarantees: the test of the value and the falling asleep are one step; a wake chooses from the set of waiters; nothing of the
// object's memory is touched after the test, as in the kernel. Waiters moved to another address (requeue) and priority
// inheritance are not modelled.
#pragma once
#include <cstdint>

namespace inspect::runtime {

// Arguments as those of the system call; returns its result, negative error numbers included.
long futex(const long (&arguments)[6], std::uint32_t site);

}  // namespace inspect::runtime
