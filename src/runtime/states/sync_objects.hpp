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
  bool changed;              // one was used as something else before, or is a spinlock, which holds its owner otherwise
  std::uint64_t places[64];  // a bit for each word of one, folded: where none is set there is none
  Operation objects[kMost];  // object: the object; size: its inspect_family
};
// Not part of what a reset restores; behind what symmetric_pairs.cpp keeps.
inline SyncObjects& sync_objects() { return *reinterpret_cast<SyncObjects*>(kSymmetryScratch + (512ul << 10)); }
static_assert(sizeof(SyncObjects) <= 512ul << 10);

// Are threads described in each other's places, if that is the same?
inline bool threads_trade_places() {
  constexpr std::uint32_t kSorted =
      INSPECT_REQUEST_SORTED_BY_PLACE | INSPECT_REQUEST_SORTED_BY_STATE | INSPECT_REQUEST_SORTED_EXACTLY;
  return state().request.message && state().request.message->flags & kSorted;
}
// The current thread announces an operation on a synchronisation object.
void note_sync_object(const Operation& o);
// It initialises one. family: an inspect_family.
void note_sync_object(std::uint64_t object, unsigned family);
void forget_sync_objects();
// The one that the address lies in; null if there is none.
const Operation* sync_object_at(std::uint64_t address);
// Does one lie there?
bool holds_sync_objects(std::uintptr_t begin, std::size_t size);
// family: an inspect_family.
bool is_sync_object(std::uint64_t object, unsigned family);

}  // namespace inspect::runtime
