// What the description of states asks of synchronisation objects: which numbers of threads they hold, and where.
#pragma once
#include "runtime/platform/state.hpp"
#include "runtime/upcalls/thread_names.hpp"

namespace inspect::runtime {

// One kind of them, as the file says that models it. Offsets are bytes within the object, words are its eight bytes there.
struct SyncObjectKind {
  std::uint32_t bytes;
  std::int32_t mark;  // offset of the mark of an initialised one (initialised.hpp); negative: it has none
  bool holds_threads;
  // Does the object hold one of two threads otherwise than the other?
  bool (*tells_apart)(std::uint64_t object, unsigned a, unsigned b);
  // The word at `offset`, with other names for the threads that it holds numbers of.
  std::uint64_t (*with_names)(std::uint64_t object, std::uint64_t offset, std::uint64_t word, const ThreadNames& names);
};
extern const SyncObjectKind kMutexes, kConditions, kRwLocks, kSemaphores, kBarriers, kOnces;

// Of an inspect_family; null where its objects are none.
const SyncObjectKind* sync_object_kind(unsigned family);

// o.object: the object; o.size: its inspect_family.
bool tells_apart(const Operation& o, unsigned a, unsigned b);

// The word at an address of the heap, but for the mark of an initialised object, which stands for its address. is_known: is
// there an object of that inspect_family?
std::uint64_t without_mark(std::uint64_t at, std::uint64_t word, bool (*is_known)(std::uint64_t object, unsigned family));

// The word at `at`, within the object (as above), with other names for threads. Only an object that has its mark holds any.
std::uint64_t with_names(const Operation& o, std::uint64_t at, std::uint64_t word, const ThreadNames& names);
// Of the lower half: 1 + a thread's number, or 0.
std::uint64_t owner_with_name(std::uint64_t word, const ThreadNames& names);
// Of the half of a set of threads that begins at the offset `first` of an object.
std::uint64_t set_with_names(std::uint64_t object, std::uint64_t first, std::uint64_t offset, const ThreadNames& names);
// Is a thread within the once-only initialisation?
bool once_is_running(std::uint64_t object);

}  // namespace inspect::runtime
