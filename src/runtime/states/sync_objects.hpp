// The synchronisation objects on which there has been an operation in this execution.
//
// Kept where threads are compared, or heaps are described: such objects hold numbers of threads, and marks that stand for their
// addresses. Guarantees: beyond kMost it says that there are more. Deliberately unknown here: what is in them.
#pragma once
#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

struct SyncObjects {
  static constexpr unsigned kMost = 512;
  unsigned count;
  bool too_many;
  Operation objects[kMost];  // object: the object; size: its inspect_family
};
// Not part of what a reset restores; behind what symmetric_pairs.cpp keeps.
inline SyncObjects& sync_objects() { return *reinterpret_cast<SyncObjects*>(kSymmetryScratch + (512ul << 10)); }
static_assert(sizeof(SyncObjects) <= 512ul << 10);

// The current thread announces an operation on a synchronisation object.
void note_sync_object(const Operation& o);
void forget_sync_objects();
// family: an inspect_family.
bool is_sync_object(std::uint64_t object, unsigned family);

}  // namespace inspect::runtime
