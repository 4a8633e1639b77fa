// The race checker's own state, and what its parts offer each other.
#pragma once
#include "runtime/memory/race.hpp"
#include "runtime/platform/clock.hpp"
#include "runtime/platform/memory_map.hpp"

namespace inspect::runtime {

// Release clock of a synchronisation object, or of a location: a range of bytes on which atomic operations work.
struct alignas(64) ReleaseClock {
  std::uint64_t begin;  // the location's bytes
  std::uint32_t size;
  std::uint32_t run;  // group of the current run of commuting operations, 0: none
  bool whole;         // each byte of the location still names this clock
  bool has_all, has_partial;
  Clock all;      // what a reader acquires
  Clock partial;  // location: what preceded the current run of commuting operations (C.3); object: shared releases
};
inline constexpr std::uint32_t kReleaseClocks = std::uint32_t(kSyncObjectsBytes / sizeof(ReleaseClock));

// The last accesses of a thread to a location by atomic operations of exactly its size. They conflict with plain accesses only,
// so none needs to be compared with another: one word each, bytes left out.
struct LocationAccesses {
  AccessWord read[INSPECT_MAX_THREADS], write[INSPECT_MAX_THREADS];
};
static_assert(kReleaseClocks * sizeof(LocationAccesses) <= kLocationAccessesBytes);

inline ReleaseClock& release_clock(std::uint32_t number) { return reinterpret_cast<ReleaseClock*>(kSyncObjects)[number]; }
inline LocationAccesses& location_accesses(std::uint32_t number) {
  return reinterpret_cast<LocationAccesses*>(kLocationAccesses)[number];
}

struct SyncObject {
  std::uint64_t name;
  ClockValue stamp;  // base of the execution that made the entry
  std::uint32_t number;
};
inline constexpr unsigned kSyncTable = 1u << 17;
inline constexpr unsigned kInternedSites = 1u << 18;

struct RaceState {
  RaceHot hot;

  unsigned unjoined;             // threads created and not joined
  std::uint32_t release_clocks;  // in use, from kSyncObjects; number 0 is none
  std::uint32_t history_blocks;  // in use, 64 bytes each, from kHistories
  RaceReport report;
  bool strict;  // no race passes
  Clock clocks[INSPECT_MAX_THREADS];
  // Fences: what a relaxed store after a release fence publishes; what relaxed loads read, for the next acquire fence.
  Clock released[INSPECT_MAX_THREADS];
  Clock read[INSPECT_MAX_THREADS];
  bool has_released[INSPECT_MAX_THREADS], has_read[INSPECT_MAX_THREADS];
  ClockValue last_allocation[INSPECT_MAX_THREADS];

  SyncObject objects[kSyncTable];
  unsigned object_count;
  std::uint32_t interned[kInternedSites];  // sites whose number needs more than 21 bits
};
static_assert(sizeof(RaceState) <= 16ul << 20);

inline RaceState& race_state() { return *reinterpret_cast<RaceState*>(kRaceState); }
// Something cannot be recorded: ends the execution, which must not count as checked.
[[noreturn]] void give_up_recording();
// Number of a fresh release clock.
std::uint32_t new_release_clock(RaceState& s);
// A release by the thread has happened: what it does from here on is not covered by it.
void advance_epoch(RaceState& s, unsigned thread);

// The accesses to four bytes when a cell does not hold them, in blocks of 64 bytes.
struct History {
  std::uint16_t count, capacity;
  std::uint32_t locations;    // bytes that name a location, as a mask
  std::uint32_t location[4];  // of each byte: the number of its location's release clock, 0: none
  AccessWord accesses[];      // all but those that stand with the locations
};

struct Access {
  unsigned thread;
  AccessKind kind;
  unsigned size;  // of the whole access
  std::uint32_t site;
  AccessWord word;  // with no bytes yet
};

// Sites that do not fit an access word get a number of their own.
inline constexpr std::uint32_t kDirectSites = 1u << (kSiteBits - 1);
static_assert(kInternedSites <= kDirectSites);
std::uint32_t interned_site(RaceState& s, std::uint32_t site);

inline Access make_access(RaceState& s, unsigned thread, std::size_t size, AccessKind kind, std::uint32_t site,
                          bool ends_life = false) {
  const std::uint32_t number = site < kDirectSites ? site : interned_site(s, site);
  return {thread, kind, unsigned(size), site,
          s.hot.epoch[thread] | AccessWord(kind) << kKindShift | (ends_life ? kFreeBit : 0) | number};
}

// The region's shadow, assigned on first touch; 0 when the address is not of user space.
std::uintptr_t assign_region(RaceState& s, std::uintptr_t region);

inline Cell* cell_at(RaceState& s, std::uintptr_t granule) {
  const std::uintptr_t region = granule >> kRegionBits;
  std::uintptr_t shadow = region < sizeof s.hot.regions / sizeof *s.hot.regions ? s.hot.regions[region] : 0;
  if (!shadow) [[unlikely]]
    shadow = assign_region(s, region);
  return shadow ? reinterpret_cast<Cell*>(shadow + 4 * granule) : nullptr;
}

inline constexpr unsigned kBlock = 64;  // unit of histories
inline History& history(std::uint32_t block) {
  return *reinterpret_cast<History*>(kHistories + std::uintptr_t(block) * kBlock);
}
constexpr bool is_reference(AccessWord w) { return mask_of(w) == 0; }
constexpr std::uint32_t block_of(AccessWord w) {
  return (std::uint32_t(w) & ((1u << kMaskShift) - 1)) | std::uint32_t(w >> kKindShift & 0x1ff) << kMaskShift;
}

// The history of the four bytes at `granule`; null if they have none.
inline History* history_at(RaceState& s, std::uintptr_t granule) {
  Cell* const cell = cell_at(s, granule);
  if (!cell) return nullptr;
  const AccessWord first = cell->words[0];
  return clock_of(first) >= s.hot.base && is_reference(first) ? &history(block_of(first)) : nullptr;
}
// Made where there is none.
History& make_history(RaceState& s, std::uintptr_t granule);

// Checks the access against the recorded ones, records it.
bool touch_range(RaceState& s, std::uintptr_t address, std::size_t size, const Access& a);
// Checks without recording.
bool check_range(RaceState& s, std::uintptr_t address, std::size_t size, const Access& a);
// Checks an atomic access, which stands with a location, against the accesses in the history of four bytes. mask: of its bytes
// there.
bool pass_history(RaceState& s, History& h, std::uintptr_t granule, unsigned mask, const Access& a);
// Is the allocation of the block that holds these bytes, if any does, ordered before the access?
bool after_allocation(RaceState& s, std::uintptr_t address, const Access& a);
// Adds a recorded access to a history as it is.
void add_to_history(RaceState& s, std::uintptr_t granule, AccessWord word);

// Which of the four bytes at `granule` lie in [begin, end).
constexpr unsigned bytes_mask(std::uintptr_t granule, std::uintptr_t begin, std::uintptr_t end) {
  const unsigned low = granule < begin ? unsigned(begin - granule) : 0;
  const unsigned high = end - granule < 4 ? unsigned(end - granule) : 4;
  return ((1u << high) - 1) & ~((1u << low) - 1);
}

}  // namespace inspect::runtime
