#include "runtime/environment/boot_allocations.hpp"

#include <sys/auxv.h>

#include "runtime/memory/arena.hpp"
#include "runtime/platform/state.hpp"
#include "runtime/upcalls/points.hpp"

namespace inspect::runtime {
namespace {

constexpr unsigned kMost = 2000, kMostFrames = 30;

struct BootAllocation {
  std::uintptr_t begin;
  unsigned depth;
  std::uintptr_t places[kMostFrames], frames[kMostFrames];  // return addresses, innermost first; as in STACK records
};
struct BootAllocations {
  unsigned count;
  BootAllocation list[kMost];
};
BootAllocations& boot_allocations() { return part<BootAllocations>(Part::boot_allocations); }

}  // namespace

// On the process's own stack, above which stands the name of what was started.
void note_boot_allocation(const void* p) {
  BootAllocations& all = boot_allocations();
  if (all.count == kMost) return;
  BootAllocation& a = all.list[all.count++];
  a.begin = reinterpret_cast<std::uintptr_t>(p);
  a.depth = 0;
  const std::uintptr_t top = getauxval(AT_EXECFN);
  auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  while (a.depth < kMostFrames && frame + 16 <= top && !(frame & 7)) {
    const auto* const words = reinterpret_cast<const std::uintptr_t*>(frame);
    a.frames[a.depth] = words[0];
    a.places[a.depth++] = words[1];
    if (words[0] <= frame) break;
    frame = words[0];
  }
}

void log_boot_allocations() {
  const BootAllocations& all = boot_allocations();
  for (unsigned i = 0; i < all.count; ++i) {
    const BootAllocation& a = all.list[i];
    const ObjectRecord* const object = arena_object(a.begin);
    if (!object || object->begin != a.begin) continue;
    const Operation o = operation(INSPECT_OP_None, reinterpret_cast<void*>(a.begin), object->size, object->allocation_site);
    append_record(INSPECT_RECORD_ALLOCATION, 0, o);
    for (unsigned k = 0; k < a.depth; ++k)
      if (inspect_record* const r = append_record(INSPECT_RECORD_STACK, 0, o)) {
        r->value = a.places[k];
        r->value2 = a.frames[k];
        r->alternative = INSPECT_STACK_MEMORY;
      }
  }
}

}  // namespace inspect::runtime
