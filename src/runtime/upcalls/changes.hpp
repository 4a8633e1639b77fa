// What models and hooks say of memory that they change (memory_hash.hpp).
#pragma once
#include "runtime/platform/state.hpp"

// Set by the program before a call that may change memory of which no hook tells, and by the runtime.
extern "C" {
__attribute__((visibility("default"))) extern std::int64_t inspect_unreported_write;
}

namespace inspect::runtime {

struct ObjectRecord;

void mark_changed(std::uintptr_t address, std::size_t size);
// The bytes are written in the present interval between two states, before or after this call.
inline void note_change(std::uintptr_t address, std::size_t size) {
  if (state().request.states) mark_changed(address, size);
}
inline void note_change(const void* address, std::size_t size) { note_change(reinterpret_cast<std::uintptr_t>(address), size); }
inline void note_unseen_changes() { inspect_unreported_write = 1; }
// An object of the heap comes to be, goes, or is about to change its size or to be freed (false) and has done so (true).
void count_object(const ObjectRecord& r, bool is_there);

}  // namespace inspect::runtime
