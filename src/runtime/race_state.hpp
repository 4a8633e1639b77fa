// The race checker's own state, and what its parts offer each other.
#pragma once
#include "runtime/clock.hpp"
#include "runtime/memory_map.hpp"
#include "runtime/race.hpp"

namespace inspect::runtime {

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
  RaceHot hot;

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
// Checks the end of the life of these bytes without recording it.
bool check_range(RaceState& s, unsigned thread, std::uintptr_t address, std::size_t size, std::uint32_t site);

// The release clocks of bytes, one number each, of the four bytes at `address` (aligned); null if the location has none.
std::uint32_t* release_numbers(RaceState& s, std::uintptr_t address);
// As above, made where there are none; null when records are used up.
std::uint32_t* make_release_numbers(RaceState& s, std::uintptr_t address);

}  // namespace inspect::runtime
