// The address map of a process under test: every region that the runtime owns stands at a fixed place.
//
// Guarantees: addresses of heap objects, stacks and thread handles are functions of the creation path and per-thread counts
// alone (SEMANTICS B.4), since each thread has its own slice of each region, indexed by its stable number.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hooks/operation.h"

namespace inspect::runtime {

inline constexpr std::uintptr_t kStateBase = 0x200000000000;          // the runtime's own state; never restored by a reset
inline constexpr std::uintptr_t kEnvironmentBase = 0x204000000000;    // the model of the outside world
inline constexpr std::uintptr_t kSignalStackBase = 0x205000000000;    // of the handler of faults
inline constexpr std::uintptr_t kFunctionTableBase = 0x206000000000;  // which code has hooks
inline constexpr std::uintptr_t kSegmentsBase = 0x207000000000;       // copies of writable segments as they were at boot
inline constexpr std::uintptr_t kObjectRecords = 0x208000000000;      // of heap objects: one slice a thread, as in the arena
inline constexpr std::uintptr_t kChannelBase = 0x210000000000;        // shared with the explorer
inline constexpr std::uintptr_t kStackBase = 0x280000000000;          // one slot a thread
inline constexpr std::size_t kStackSlot = 2ul << 30;   // unmapped below the stack: overflow of big frames still faults there
inline constexpr std::size_t kStackBytes = 8ul << 20;  // usable, at the top of the slot, where nothing else is asked for
inline constexpr std::size_t kMostStackBytes = 1ul << 30;
// Thread-local variables: one slice a thread, behind the stacks, so that either's owner is found in the same bits of an
// address.
inline constexpr std::uintptr_t kThreadLocalsBase = kStackBase + kStackSlot * INSPECT_MAX_THREADS;
inline constexpr std::size_t kThreadLocalsSlice = kStackSlot, kMaxThreadLocals = (16ul << 20) - 4096;
inline constexpr std::uintptr_t kArenaBase = 0x300000000000;  // heap: one slice a thread
inline constexpr std::size_t kArenaSlice = 1ul << 32;
inline constexpr std::size_t kArenaBytes = kArenaSlice * INSPECT_MAX_THREADS;
inline constexpr std::uintptr_t kMappedBase = 0x310000000000;  // what it maps itself: one slice a thread
inline constexpr std::size_t kMappedSlice = 16ul << 30;
inline constexpr std::uintptr_t kShadowBase =
    0x400000000000;  // metadata of program memory (liveness, race epochs): to 0x500000000000

}  // namespace inspect::runtime
