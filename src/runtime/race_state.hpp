// The race checker's own state, and how an access is packed into a word.
//
// A tracked location of four bytes has a cell of two words: its last accesses that still matter, or a reference to a longer history.
#pragma once
#include "runtime/clock.hpp"
#include "runtime/memory_map.hpp"
#include "runtime/race.hpp"

namespace inspect::runtime {

// An access to up to four bytes. From the top: clock 28 bits, thread 7, kind 2, mask of bytes 4, end of life 1, site 22.
// A word with an empty mask is a reference to a history: its number stands in the bits of thread, kind, end of life and site.
using AccessWord = std::uint64_t;
enum class AccessKind : unsigned { read = 0, write = 1, atomic_read = 2, atomic_write = 3 };
inline constexpr unsigned kSiteBits = 22, kFreeShift = 22, kMaskShift = 23, kKindShift = 27, kThreadShift = 29, kClockShift = 36;
inline constexpr ClockValue kClockLimit = (1u << 28) - 1;  // reached: the execution counts as not checked
inline constexpr ClockValue kFlushAt = 1u << 27;           // an execution that would begin above starts over with cleared records
inline constexpr AccessWord kFreeBit = 1ull << kFreeShift;

constexpr ClockValue clock_of(AccessWord w) { return ClockValue(w >> kClockShift); }
constexpr unsigned thread_of_word(AccessWord w) { return unsigned(w >> kThreadShift) & 127; }
constexpr AccessKind kind_of(AccessWord w) { return AccessKind((w >> kKindShift) & 3); }
constexpr unsigned mask_of(AccessWord w) { return unsigned(w >> kMaskShift) & 15; }
constexpr std::uint32_t site_of(AccessWord w) { return std::uint32_t(w) & ((1u << kSiteBits) - 1); }
constexpr AccessWord without_bytes(AccessWord w, unsigned mask) { return w & ~(AccessWord(mask) << kMaskShift); }
constexpr bool is_write(AccessKind k) { return unsigned(k) & 1; }
constexpr bool is_atomic(AccessKind k) { return unsigned(k) & 2; }

struct Cell {
  AccessWord words[2];
};

// Release clock of an atomic location or a synchronisation object.
struct alignas(64) ReleaseClock {
  Clock all;      // what a reader acquires
  Clock partial;  // location: what preceded the current run of commuting operations (C.3); object: shared releases
  std::uint64_t address;
  std::uint32_t size;
  std::uint32_t run;  // group of the current run of commuting operations, 0: none
  bool has_all, has_partial;
};

struct SyncObject {
  std::uint64_t name;
  ClockValue stamp;  // base of the execution that made the entry
  std::uint32_t number;
};
inline constexpr unsigned kSyncTable = 1u << 17;
inline constexpr unsigned kInternedSites = 1u << 18;

struct RaceState {
  // Hot: read at every access.
  bool recording;  // false while one thread exists that has joined all others
  bool incomplete;
  ClockValue base;   // clocks of this execution begin here
  unsigned threads;  // 1 + largest number of a thread in this execution
  AccessWord epoch[INSPECT_MAX_THREADS];  // clock and thread of the next access
  std::uintptr_t regions[1u << (47 - kRegionBits)];  // shadow of a region, minus four times its address; 0: not assigned yet
  unsigned region_count;

  unsigned unjoined;  // threads created and not joined
  std::uint32_t release_clocks;  // in use, from kSyncObjects; number 0 is none
  std::uint32_t history_blocks;  // in use, 64 bytes each, from kHistories
  RaceReport report;
  Clock clocks[INSPECT_MAX_THREADS];
  // Fences: what a relaxed store after a release fence publishes; what relaxed loads read, for the next acquire fence.
  Clock released[INSPECT_MAX_THREADS];
  Clock read[INSPECT_MAX_THREADS];
  bool has_released[INSPECT_MAX_THREADS], has_read[INSPECT_MAX_THREADS];

  SyncObject objects[kSyncTable];
  unsigned object_count;
  std::uint32_t interned[kInternedSites];  // sites whose number needs more than 21 bits
};
static_assert(sizeof(RaceState) <= 16ul << 20);

inline RaceState& race_state() { return *reinterpret_cast<RaceState*>(kRaceState); }
inline ReleaseClock& release_clock(std::uint32_t number) {
  return *reinterpret_cast<ReleaseClock*>(kSyncObjects + number * sizeof(ReleaseClock));
}
// Number of a fresh release clock, 0 when there are too many.
std::uint32_t new_release_clock(RaceState& s);
// A release by the thread has happened: what it does from here on is not covered by it.
void advance_epoch(RaceState& s, unsigned thread);

// Checks the access against the recorded ones, records it. kind read … atomic_write; size > 0.
bool touch_range(RaceState& s, unsigned thread, std::uintptr_t address, std::size_t size, AccessKind kind, std::uint32_t site, bool ends_life);

// The release clocks of bytes, one number each, of the four bytes at `address` (aligned); null if the location has none.
std::uint32_t* release_numbers(RaceState& s, std::uintptr_t address);
// As above, made where there are none; null when records are used up.
std::uint32_t* make_release_numbers(RaceState& s, std::uintptr_t address);

}  // namespace inspect::runtime
