// Where the model of the outside world keeps its data: one mapping outside what a reset restores.
//
// Every execution sees the same environment: the same files, descriptors, signals, random numbers and computer (DESIGN §2, §4).
// Each part has its structure here; what an execution has touched of it is put back, without a system call where that was
// nothing.
#pragma once
#include <sys/types.h>

#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// The process and the computer as every execution sees them.
inline constexpr pid_t kProcessNumber = 4242;
inline constexpr unsigned kProcessors = 4;

inline constexpr std::uintptr_t kRealFunctions = kEnvironmentBase;               // RealFunctions
inline constexpr std::uintptr_t kSignals = kEnvironmentBase + (1ul << 20);       // SignalState
inline constexpr std::uintptr_t kRandom = kEnvironmentBase + (2ul << 20);        // RandomState
inline constexpr std::uintptr_t kStreamLocks = kEnvironmentBase + (3ul << 20);   // StreamLocks
inline constexpr std::uintptr_t kLastNames = kEnvironmentBase + (4ul << 20);     // LastNames
inline constexpr std::uintptr_t kDescriptors = kEnvironmentBase + (16ul << 20);  // DescriptorTable
inline constexpr std::uintptr_t kFileNames = kEnvironmentBase + (32ul << 20);    // FileNames
inline constexpr std::uintptr_t kMappings = kEnvironmentBase + (64ul << 20);     // MappingTable
inline constexpr std::size_t kEnvironmentBytes = 128ul << 20;

}  // namespace inspect::runtime
