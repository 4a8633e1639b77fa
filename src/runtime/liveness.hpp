// Is a program's access to memory that is alive? Checked at every instrumented access.
//
// Guarantees: exact for the heap, to the byte (out of bounds into the no man's land, after free, never allocated). For stacks:
// another thread's access to a frame that has returned is found when that stack's top is above it; never a false alarm. Memory
// outside heap and stacks is always alive here (the hardware judges it).
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/memory_map.hpp"

namespace inspect::runtime {

enum class MemoryFault : std::uint8_t { none, freed, overflow, wild, stack_freed };

// Of each eight bytes in the part of a slice that holds small objects: how many, from the first, are alive.
inline std::uint8_t* liveness_of(std::uintptr_t address) {
  return reinterpret_cast<std::uint8_t*>(kLiveness + ((address - kArenaBase) >> 3));
}

MemoryFault check_arena_access(std::uintptr_t address, std::size_t size);
MemoryFault check_stack_access(std::uintptr_t address);

inline MemoryFault check_access(std::uintptr_t address, std::size_t size) {
  if (address - kArenaBase < kArenaBytes) {
    if ((address & 7) + size <= *liveness_of(address)) [[likely]]
      return MemoryFault::none;
    return check_arena_access(address, size);
  }
  if (address - kStackBase < kStackSlot * INSPECT_MAX_THREADS) return check_stack_access(address);
  return MemoryFault::none;
}

// A thread stops running program code with its stack pointer at `pointer` (that of the program's code, not of the runtime's
// frames above it); everything below is dead. At the end of a thread: the top of its stack.
inline void note_stack_pointer(std::uint8_t thread, std::uintptr_t pointer) {
  reinterpret_cast<std::uintptr_t*>(kStackPointers)[thread] = pointer;
}

}  // namespace inspect::runtime
