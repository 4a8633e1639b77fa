// Data races by happens-before, as C++20 defines them (SEMANTICS C): vector clocks, and per location the accesses that still
// matter.
//
// Guarantees: of an execution whose accesses and synchronisation are all reported here, in the order they happened, the first
// access that is unordered with a conflicting earlier one is found; no other is reported. Exact to the byte for any mixture of
// sizes and alignments. Plain and atomic accesses conflict; volatile is plain. A location's record is never dropped (C.4);
// while one thread alone exists that has joined all others, nothing is recorded, for everything it does happens before all that
// later threads do. A check that finds a race at which the
// execution may not go on (race_goes_on) returns false, details in race_report(); the execution must end then.
// Deliberately unknown here: scheduling, the dependence relation, how a race is shown. Epochs after FastTrack (Flanagan and
// Freund 2009).
#pragma once
#include <cstddef>
#include <cstdint>

#include "hooks/operation.h"
#include "runtime/memory/race_word.hpp"

namespace inspect::runtime {

struct RaceReport {
  std::uintptr_t address;  // first byte that both touch
  unsigned size;           // of the access that found it
  std::uint8_t thread, other_thread;
  std::uint32_t site, other_site;
  bool write, other_write, atomic, other_atomic;
  bool with_free;        // one of the two is the end of the object's life: a memory error (C.6)
  bool other_freed;      // … namely the earlier one
  bool other_allocated;  // the earlier one is the allocation of the block
};
const RaceReport& race_report();

void race_begin_execution();
void race_thread_created(std::uint8_t parent, std::uint8_t child);
void race_thread_joined(std::uint8_t joiner, std::uint8_t ended);
void race_thread_ended(std::uint8_t thread);

// Synchronisation objects of any kind, named by a number (their address). Accumulating: an acquire sees every release before
// it. rwlocks: readers use the shared forms: reader → writer is an edge, reader → reader is none. Barriers: one number a round.
void race_acquire(std::uint8_t thread, std::uint64_t object);
void race_release(std::uint8_t thread, std::uint64_t object);
void race_acquire_shared(std::uint8_t thread, std::uint64_t object);
void race_release_shared(std::uint8_t thread, std::uint64_t object);

// Atomic operations on `size` bytes, at most 16, in the order they take effect.
bool race_atomic_load(std::uint8_t thread, std::uint64_t address, unsigned size, inspect_order order, std::uint32_t site);
bool race_atomic_store(std::uint8_t thread, std::uint64_t address, unsigned size, inspect_order order, std::uint32_t site);
// group: of integers, with an unused result: names operators that commute with each other (C.3); 0: none.
bool race_atomic_rmw(std::uint8_t thread, std::uint64_t address, unsigned size, inspect_order order, std::uint32_t site,
                     unsigned group = 0);
void race_fence(std::uint8_t thread, inspect_order order);
// Would an atomic read by the thread, of what it finds there now, be no race if it acquired nothing? Nothing is recorded.
bool race_free_unless_acquired(std::uint8_t thread, std::uint64_t address, unsigned size);
// An atomic-like access without any ordering: the bytes of a synchronisation object that an operation on it touches (B.3).
bool race_object_access(std::uint8_t thread, std::uintptr_t address, std::size_t size, bool write, std::uint32_t site);

// A plain access of any size.
inline bool race_access(std::uint8_t thread, std::uintptr_t address, std::size_t size, bool write, std::uint32_t site);
// The end of an object's life: a write of every byte. On stacks it is remembered (the frame has returned); on the heap the
// arena does that.
bool race_stack_end(std::uint8_t thread, std::uintptr_t address, std::size_t size, std::uint32_t site);
bool race_free(std::uint8_t thread, std::uintptr_t address, std::size_t size, std::uint32_t site);

// A heap block comes to be, by this thread: a write of every byte. To be kept with the block; 0: before whatever can follow.
std::uint32_t race_allocation(std::uint8_t thread);

// What was done to these bytes is ordered before whatever anybody does with them from now on.
void race_settled(std::uintptr_t address, std::size_t size);

// Likewise, of an access that is no scheduling point, whatever its location is: a race never passes.
bool race_access_strict(std::uint8_t thread, std::uintptr_t address, std::size_t size, bool write, std::uint32_t site);
bool race_access_slow(std::uint8_t thread, std::uintptr_t address, std::size_t size, bool write, std::uint32_t site);

// The same bytes again by the same thread at the same point of its synchronisation: nothing to check, nothing to add.
[[gnu::always_inline]] inline bool race_repeats(const Cell& cell, AccessWord access, bool write) {
  constexpr AccessWord kWriteBit = AccessWord(AccessKind::write) << kKindShift;
  if (write) return says_as_much(cell.words[0], access | kWriteBit) || says_as_much(cell.words[1], access | kWriteBit);
  return says_as_much(cell.words[1], access) || says_as_much(cell.words[0], access | kWriteBit) ||
         says_as_much(cell.words[0], access);
}

// The number of the region an address is in. The compiler is kept from folding the shift into each comparison of the number.
inline std::uintptr_t region_of(std::uintptr_t address) {
  std::uintptr_t region = address >> kRegionBits;
  asm("" : "+r"(region));
  return region;
}

// True if the access is certainly recorded already, or none is recorded now; false says nothing.
[[gnu::always_inline]] inline bool race_knows(std::uint8_t thread, std::uintptr_t address, std::size_t size, bool write) {
  const RaceHot& hot = race_hot();
  if (!hot.recording) return true;
  const std::uintptr_t offset = address & 3, region = region_of(address);
  if (region >= sizeof hot.regions / sizeof *hot.regions || !hot.regions[region]) return false;
  if (offset + size > 4 && (size != 8 || offset)) return false;
  const std::uintptr_t granule = size < 4 ? address - offset : address;
  const Cell* const cell = reinterpret_cast<const Cell*>(hot.regions[region] + 4 * granule);
  const AccessWord mask = size < 4 ? ((1ull << size) - 1) << offset : 15;
  const AccessWord access = hot.epoch[thread] + (mask << kMaskShift);
  // Most often it is the very word that stands where accesses of this kind do.
  const AccessWord exact = access + (write ? AccessWord(AccessKind::write) << kKindShift : 0);
  const auto known = [&](const Cell& c) __attribute__((always_inline)) {
    return ((c.words[write ? 0 : 1] ^ exact) >> kFreeShift) == 0 || race_repeats(c, access, write);
  };
  return known(cell[0]) && (size < 8 || known(cell[1]));
}

inline bool race_access(std::uint8_t thread, std::uintptr_t address, std::size_t size, bool write, std::uint32_t site) {
  return race_knows(thread, address, size, write) || race_access_slow(thread, address, size, write, site);
}

}  // namespace inspect::runtime
