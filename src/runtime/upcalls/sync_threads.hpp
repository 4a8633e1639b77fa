// Where synchronisation objects hold numbers of threads: does one tell two threads apart?
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// o.object: the object; o.size: its inspect_family.
bool tells_apart(const Operation& o, unsigned a, unsigned b);

bool mutex_tells_apart(std::uint64_t object, unsigned a, unsigned b);
bool condition_tells_apart(std::uint64_t object, unsigned a, unsigned b);
bool rwlock_tells_apart(std::uint64_t object, unsigned a, unsigned b);
bool barrier_tells_apart(std::uint64_t object, unsigned a, unsigned b);
bool once_tells_apart(std::uint64_t object, unsigned a, unsigned b);

}  // namespace inspect::runtime
