// The program's heap: a bump allocator per thread that never reuses an address within an execution.
//
// Guarantees: an address is a function of the allocating thread's number and of what that thread allocated before (SEMANTICS
// B.4); fresh memory is zero; every object has at least 16 bytes of no man's land on both sides; freed memory stays dead to the
// end of the execution; a reset costs what the execution allocated. An exhausted slice is a null result, never an overlap.
// Deliberately unknown here: races, scheduling, how misuse is reported.
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/memory/liveness.hpp"
#include "runtime/platform/memory_map.hpp"

namespace inspect::runtime {

// Each slice: small objects at the bottom, large ones, aligned to 64 KB, above.
inline constexpr std::size_t kSmallBytes = 1ul << 30;
inline constexpr std::size_t kLargeObject = 32ul << 10;  // objects of this size and more are large
inline constexpr std::size_t kLargeChunk = 64ul << 10;
inline constexpr std::size_t kRedZone = 16;

struct ObjectRecord {
  std::uintptr_t begin;
  std::uint32_t size;
  std::uint32_t capacity;  // bytes it may grow to in place
  std::uint32_t allocation_site;
  union {
    std::uint32_t free_site;  // once freed
    std::uint32_t birth;      // until then: what the race checker calls the time of the allocation; 0: before all else
  };
  std::uint8_t freed, free_thread;
  std::uint8_t family;  // a number of heap.hpp, given after the allocation
  std::uint32_t alive;  // of a large object: bytes from the first that may be accessed now
};
static_assert(sizeof(ObjectRecord) == 32);

// Records of large objects: within a thread's slice of records, found by the number of the 64 KB.
inline constexpr std::uintptr_t kLargeRecordsOffset = 3ul << 30;
inline ObjectRecord* large_records(std::uintptr_t thread) {
  return reinterpret_cast<ObjectRecord*>(kObjectRecords + thread * kArenaSlice + kLargeRecordsOffset);
}
inline std::uint32_t& large_index_of(std::uintptr_t address) {
  return reinterpret_cast<std::uint32_t*>(kLargeIndex)[(address - kArenaBase) / kLargeChunk];
}
constexpr bool is_large_place(std::uintptr_t address) { return (address & (kArenaSlice - 1)) >= kSmallBytes; }

// Quick and certain: true if the bytes of the arena are alive; false says nothing.
inline bool surely_alive(std::uintptr_t address, std::size_t size) {
  if (!is_large_place(address)) return size <= 8 && std::ptrdiff_t((address & 7) + size) <= *liveness_of(address);
  // An index left by an earlier execution leads to a record of another place, or to one with nothing alive.
  const ObjectRecord& r = large_records((address - kArenaBase) / kArenaSlice)[large_index_of(address)];
  const std::uintptr_t offset = address - r.begin;
  return offset < r.alive && size <= r.alive - offset;
}

struct ThreadArena {
  std::uintptr_t small_break, large_break;  // end of the last object of each kind, rounded up
  std::uint32_t small_count, large_count;
};

struct ArenaState {
  ThreadArena threads[INSPECT_MAX_THREADS];
  std::uint64_t used[2];  // threads that allocated or freed since the last reset
  ThreadArena snapshot[INSPECT_MAX_THREADS];
  std::uint64_t snapshot_threads[2];  // threads that own objects of the snapshot
};

inline ArenaState& arena_state() { return *reinterpret_cast<ArenaState*>(kArenaState); }

// Maps everything of memory_map.hpp and the arena; idempotent. Ends the process with a message when the addresses are taken.
void map_memory_regions();

// Remembers the heap as it is (objects of library constructors) as the state that arena_reset() restores.
void arena_snapshot();
void arena_reset();

// Bytes of zeroed memory for the current thread, or null when its slice is exhausted. alignment: a power of two; reserve: bytes
// to which the object may later grow in place.
void* arena_allocate(std::size_t size, std::size_t alignment, std::uint32_t site, std::size_t reserve = 0);
// Of a live object: when it was allocated, and by which thread.
ObjectRecord* arena_object(std::uintptr_t address);
constexpr unsigned arena_owner(std::uintptr_t address) { return unsigned((address - kArenaBase) / kArenaSlice); }

// Has no hook told of an access to any of the bytes since they were allocated? Only known of small objects.
bool is_untouched(std::uintptr_t address, std::size_t size);
void forget_untouched(std::uintptr_t address, std::size_t size);
// The bytes, which are alive, are about to be accessed, or filled.
inline void note_touched(std::uintptr_t address, std::size_t size) {
  if (address - kArenaBase < kArenaBytes && !is_large_place(address)) forget_untouched(address, size);
}

enum class FreeFault : std::uint8_t { none, double_free, interior, not_heap };
// What freeing p would be, without doing it; live objects: their record in *object.
FreeFault arena_lookup(const void* p, ObjectRecord** object);
// Frees p; false and the reason in *fault (which may be null) when p is not a live object of the heap.
bool arena_free(void* p, std::uint8_t thread, std::uint32_t site, FreeFault* fault = nullptr);
// Changes the size of a live object in place if its reserve allows.
bool arena_resize(ObjectRecord& object, std::size_t size);

// Did a constructor allocate what is at this address of the arena?
inline bool is_of_boot(std::uintptr_t address) {
  const ThreadArena& boot = arena_state().snapshot[(address - kArenaBase) / kArenaSlice];
  return address < (is_large_place(address) ? boot.large_break : boot.small_break);
}
// The byte as it was at the snapshot, and how many are known from there on; null: it was not in use.
const char* arena_at_snapshot(std::uintptr_t address, std::size_t* left);
// How many bytes of a large object are alive from this address on; 0 if there is none.
std::size_t alive_of_large(std::uintptr_t address);

// Calls f(record) for each object that the thread allocated, freed ones included.
template <class F>
void for_each_object(unsigned thread, F&& f) {
  const ThreadArena& a = arena_state().threads[thread];
  const auto* small = reinterpret_cast<const ObjectRecord*>(kObjectRecords + thread * kArenaSlice);
  for (std::uint32_t i = 0; i < a.small_count; ++i) f(small[i]);
  for (std::uint32_t i = 0; i < a.large_count; ++i) f(large_records(thread)[i]);
}

struct HeapObject {
  std::uintptr_t begin;
  std::size_t size;
  std::uint32_t allocation_site;
  std::uint8_t allocator_thread;
  bool freed;
  std::uint32_t free_site;
  std::uint8_t free_thread;
};
// The object, live or freed, that contains the address or is nearest to it among the allocating thread's. For messages.
bool find_heap_object(std::uintptr_t address, HeapObject* object);

}  // namespace inspect::runtime
