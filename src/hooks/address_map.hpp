// The address map of a process under test: every region that the runtime owns stands at a fixed place.
//
// Guarantees: addresses of heap objects, stacks and thread handles are functions of the creation path and per-thread counts
// alone (SEMANTICS B.4), since each thread has its own slice of each region, indexed by its stable number.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hooks/operation.h"

namespace inspect::runtime {

inline constexpr std::uintptr_t kStateBase = 0x200000000000;    // the runtime's own state; never restored by a reset
inline constexpr std::uintptr_t kChannelBase = 0x210000000000;  // shared with the explorer
inline constexpr std::uintptr_t kStackBase = 0x280000000000;    // one slot a thread
inline constexpr std::size_t kStackSlot = 32ul << 20;  // unmapped below the stack: overflow of big frames still faults there
inline constexpr std::size_t kStackBytes = 1ul << 20;  // usable, at the top of the slot (main: kMainStackBytes)
inline constexpr std::size_t kMainStackBytes = 8ul << 20;
inline constexpr std::uintptr_t kArenaBase = 0x300000000000;  // heap: one slice a thread
inline constexpr std::size_t kArenaSlice = 1ul << 32;
inline constexpr std::size_t kArenaBytes = kArenaSlice * INSPECT_MAX_THREADS;
inline constexpr std::uintptr_t kShadowBase =
    0x400000000000;  // metadata of program memory (liveness, race epochs): to 0x500000000000

}  // namespace inspect::runtime
