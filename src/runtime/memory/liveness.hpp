// Is a program's access to memory that is alive? Checked at every instrumented access.
//
// Guarantees: exact for the heap, to the byte (out of bounds into the no man's land, after free, never allocated). On stacks an
// object that has ended is dead until another one begins in its place (stack_objects.hpp); never a false alarm. So are the
// thread-local variables of a thread that has ended. Other memory is always alive here (the hardware judges it).
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

enum class MemoryFault : std::uint8_t {
  none,
  freed,
  overflow,
  wild,
  block_ended,
  function_returned,
  function_left,
  thread_ended
};

// Of each eight bytes in the part of a slice that holds small objects: how many, from the first, are alive. Negative
// (kUntouched) until a hook tells of an access to them, or a model fills them.
inline constexpr std::uint8_t kUntouched = 0x80, kAliveBytes = 0x0f;
inline std::int8_t* liveness_of(std::uintptr_t address) {
  return reinterpret_cast<std::int8_t*>(kLiveness + ((address - kArenaBase) >> 3));
}

MemoryFault check_arena_access(std::uintptr_t address, std::size_t size);
MemoryFault check_stack_access(std::uintptr_t address, std::size_t size);
// Of memory that is no slot of a stack: stacks of the program's own lie there (pthread_attr_setstack).
MemoryFault check_own_stacks(std::uintptr_t address, std::size_t size);

inline MemoryFault check_access(std::uintptr_t address, std::size_t size) {
  if (state().own_stacks) [[unlikely]]
    if (const MemoryFault fault = check_own_stacks(address, size); fault != MemoryFault::none) return fault;
  if (address - kArenaBase < kArenaBytes) {
    if (size <= 8 && std::ptrdiff_t((address & 7) + size) <= *liveness_of(address)) [[likely]]
      return MemoryFault::none;
    return check_arena_access(address, size);
  }
  if (address - kStackBase < 2 * kStackSlot * INSPECT_MAX_THREADS) return check_stack_access(address, size);
  return MemoryFault::none;
}

}  // namespace inspect::runtime
