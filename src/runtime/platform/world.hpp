// Where the model of the outside world keeps its data: one mapping outside what a reset restores.
//
// Every execution sees the same world: the same files, descriptors, signals, random numbers and machine (DESIGN §2, §4). Each
// part has its structure here, and reset_world() puts all of them back without a system call when nothing was touched.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// Within the runtime's own range, between the snapshot of the heap and the signal stack.
inline constexpr std::uintptr_t kWorldBase = 0x204000000000;
inline constexpr std::uintptr_t kRealFunctions = kWorldBase;               // RealFunctions
inline constexpr std::uintptr_t kSignals = kWorldBase + (1ul << 20);       // SignalState
inline constexpr std::uintptr_t kRandom = kWorldBase + (2ul << 20);        // RandomState
inline constexpr std::uintptr_t kStreamLocks = kWorldBase + (3ul << 20);   // StreamLocks
inline constexpr std::uintptr_t kLastNames = kWorldBase + (4ul << 20);     // LastNames
inline constexpr std::uintptr_t kDescriptors = kWorldBase + (16ul << 20);  // DescriptorTable
inline constexpr std::uintptr_t kFileNames = kWorldBase + (32ul << 20);    // FileNames
inline constexpr std::uintptr_t kMappings = kWorldBase + (64ul << 20);     // MappingTable
inline constexpr std::size_t kWorldBytes = 128ul << 20;

// Maps the structures and finds the library's own functions; idempotent. Called by whatever may run before boot.
void ensure_world();
// Nothing of the outside is modelled while the program runs without an explorer, or before main: calls go through.
bool world_is_real();

// At boot, before the snapshot; and after each execution.
void boot_files();
void reset_files();

}  // namespace inspect::runtime
