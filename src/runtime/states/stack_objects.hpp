// Which object of a thread's stack an address belongs to, as the thread's frame records tell.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hooks/frame.h"
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

struct MemoryRange {
  std::uintptr_t begin;
  std::size_t size;
};

// A value that is alive in a frame, or a stack object of it.
struct FrameSlot {
  MemoryRange range;
  bool object;
};
inline FrameSlot slot_of(const inspect_frame& frame, const inspect_slot& slot) {
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(&frame) + slot.offset;
  if (!(slot.size & INSPECT_SLOT_OBJECT)) return {{at, slot.size}, false};
  std::uintptr_t object;
  __builtin_memcpy(&object, reinterpret_cast<const void*>(at), sizeof object);
  return {{object, slot.size & ~INSPECT_SLOT_OBJECT}, true};
}

// Of a thread that is at a visible operation.
inline bool find_stack_object(const Thread& t, std::uint64_t address, MemoryRange& range) {
  for (const auto* f = static_cast<const inspect_frame*>(t.frames); f; f = f->previous)
    for (unsigned i = 0; i < f->function->slot_count; ++i) {
      const FrameSlot slot = slot_of(*f, f->function->slots[i]);
      if (!slot.object || address < slot.range.begin || address >= slot.range.begin + slot.range.size) continue;
      range = slot.range;
      return true;
    }
  return false;
}

}  // namespace inspect::runtime
