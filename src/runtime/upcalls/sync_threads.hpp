// Where synchronisation objects hold numbers of threads: does one tell two threads apart?
#pragma once
#include "runtime/platform/state.hpp"
#include "runtime/upcalls/thread_names.hpp"

namespace inspect::runtime {

// o.object: the object; o.size: its inspect_family.
bool tells_apart(const Operation& o, unsigned a, unsigned b);

// The word at an address of the heap, but for the mark of an initialised object, which stands for its address
// (initialised.hpp). is_known: is there an object of that inspect_family?
std::uint64_t without_mark(std::uint64_t at, std::uint64_t word, bool (*is_known)(std::uint64_t object, unsigned family));

// The word at `at`, within the object (as above), with other names for the threads that it holds numbers of. Only an object
// that has its mark holds any.
std::uint64_t with_names(const Operation& o, std::uint64_t at, std::uint64_t word, const ThreadNames& names);
// Is a thread within the once-only initialisation?
bool once_is_running(std::uint64_t object);

bool mutex_tells_apart(std::uint64_t object, unsigned a, unsigned b);
bool condition_tells_apart(std::uint64_t object, unsigned a, unsigned b);
bool rwlock_tells_apart(std::uint64_t object, unsigned a, unsigned b);
bool barrier_tells_apart(std::uint64_t object, unsigned a, unsigned b);
bool once_tells_apart(std::uint64_t object, unsigned a, unsigned b);

}  // namespace inspect::runtime
