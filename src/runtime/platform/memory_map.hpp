// Where the memory checker keeps its own state and metadata: everything at a fixed address, outside what a reset restores.
//
// Guarantees: the ranges below are disjoint, lie inside the runtime's ranges of hooks/address_map.hpp and are mapped lazily, so
// only what is touched costs memory. Paper and measurements: DESIGN §4.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hooks/address_map.hpp"

namespace inspect::runtime {

// Parts of the state that are declared beside their code. They are there as soon as the state is (map_state).
enum class Part {
  keys,
  exit_handlers,
  loops,
  loop_watches,
  probes,
  atomic_section,
  logged_accesses,
  object_clocks,
  modules,
  sleep_set,
  seen_code,
  library_start,
  output,
  mapping_leaks,
  arguments,
  watchdog,
  boot_allocations,
  state_words,
  count
};
inline constexpr std::uintptr_t kParts = kStateBase + (64ul << 20);
inline constexpr std::size_t kPartBytes = 2ul << 20;
inline constexpr std::size_t kPartsBytes = std::size_t(Part::count) * kPartBytes;
static_assert(kParts + kPartsBytes <= kStateBase + (128ul << 20));
template <class T>
T& part(Part which) {
  static_assert(sizeof(T) <= kPartBytes);
  return *reinterpret_cast<T*>(kParts + std::size_t(which) * kPartBytes);
}

inline constexpr std::uintptr_t kCopies = kStateBase + (128ul << 20);       // Copies
inline constexpr std::uintptr_t kCheckpoints = kStateBase + (256ul << 20);  // Checkpoints
inline constexpr std::size_t kCheckpointsBytes = 128ul << 20;

// Within the runtime's state, from 1 GB above its base.
inline constexpr std::uintptr_t kArenaState = kStateBase + (1ul << 30);        // ArenaState
inline constexpr std::uintptr_t kStackDepths = kArenaState + (1ul << 20);      // StackDepth, one a thread
inline constexpr std::uintptr_t kRaceState = kArenaState + (16ul << 20);       // RaceState
inline constexpr std::uintptr_t kSymmetryScratch = kArenaState + (8ul << 20);  // of checks for symmetry
inline constexpr std::uintptr_t kMemoryHash = kArenaState + (64ul << 20);      // what is kept of changed memory
inline constexpr std::size_t kMemoryHashBytes = 128ul << 20;
inline constexpr std::uintptr_t kSyncObjects = kStateBase + (4ul << 30);  // release clocks of synchronisation objects
inline constexpr std::size_t kSyncObjectsBytes = 16ul << 30;
inline constexpr std::uintptr_t kHistories = kStateBase + (32ul << 30);  // access histories that do not fit a shadow cell
inline constexpr std::size_t kHistoriesBytes = 32ul << 30;
inline constexpr std::uintptr_t kSnapshot = kStateBase + (64ul << 30);  // copies of the heap as it was at boot
inline constexpr std::size_t kSnapshotBytes = 64ul << 30;
inline constexpr std::uintptr_t kExtents = kStateBase + (128ul << 30);           // one stamp for 64 KB of race cells
inline constexpr std::uintptr_t kLocationAccesses = kStateBase + (136ul << 30);  // accesses by atomics, per location and thread
inline constexpr std::size_t kLocationAccessesBytes = 32ul << 30;
inline constexpr std::size_t kObjectRecordsBytes = kArenaBytes;

// Within the shadow range.
inline constexpr std::uintptr_t kLiveness = kShadowBase;  // one byte for eight of the arena
inline constexpr std::size_t kLivenessBytes = kArenaBytes / 8;
inline constexpr std::uintptr_t kObjectIndex = kLiveness + kLivenessBytes;  // one number for sixteen bytes of the arena
inline constexpr std::size_t kObjectIndexBytes = kArenaBytes / 16 * sizeof(std::uint32_t);
inline constexpr std::uintptr_t kLargeIndex = kObjectIndex + kObjectIndexBytes;  // one number for 64 KB of the arena
inline constexpr std::size_t kLargeIndexBytes = kArenaBytes / 65536 * sizeof(std::uint32_t);
inline constexpr std::uintptr_t kEndedBytes = kShadowBase + (512ul << 30);  // one bit for each byte of stacks and thread-locals
inline constexpr std::size_t kEndedBytesBytes = 2 * kStackSlot * INSPECT_MAX_THREADS / 8;
inline constexpr std::uintptr_t kRaceCells = kShadowBase + (1ul << 40);  // sixteen bytes for four of a tracked region
inline constexpr unsigned kRegionBits = 38;                              // regions of 256 GB, assigned on first touch
inline constexpr unsigned kRegionSlots = 15;
inline constexpr std::size_t kRegionCellBytes = 4ul << kRegionBits;
inline constexpr std::size_t kRaceCellsBytes = kRegionSlots * kRegionCellBytes;

inline constexpr std::size_t kExtentsBytes = kRaceCellsBytes / 65536 * sizeof(std::uint32_t);

static_assert(kObjectRecords + kObjectRecordsBytes <= kChannelBase);
static_assert(kSnapshot + kSnapshotBytes <= kExtents && kExtents + kExtentsBytes <= kLocationAccesses);
static_assert(kLocationAccesses + kLocationAccessesBytes <= kObjectRecords);
static_assert(kLargeIndex + kLargeIndexBytes <= kEndedBytes && kEndedBytes + kEndedBytesBytes <= kRaceCells);
static_assert(kRaceCells + kRaceCellsBytes <= kShadowBase + (1ul << 44));

}  // namespace inspect::runtime
