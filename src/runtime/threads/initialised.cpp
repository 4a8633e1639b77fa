#include "runtime/threads/initialised.hpp"
#include "runtime/memory/module.hpp"

#include "runtime/memory/arena.hpp"
#include "runtime/threads/sync.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {

bool called_by_program() {
  const auto caller = reinterpret_cast<std::uintptr_t>(self_thread().caller);
  for (unsigned k = 0; k < modules().count; ++k)
    if (caller >= modules().list[k].code_begin && caller < modules().list[k].code_end) return true;
  return false;
}

void require_initialised(const void* object, std::size_t size, std::uint32_t mark, bool has_static_initialiser,
                         const char* what, std::uint32_t site) {
  if (mark == mark_of(object)) return;
  if (mark == kDestroyed) misuse(format_message("use of %s that was destroyed", what), site);
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  const bool written = address - kArenaBase >= kArenaBytes || !is_untouched(address, size) || !called_by_program();
  if (mark || !has_static_initialiser || !written)
    misuse(format_message("use of %s that was never initialised%s", what, mark ? ", or is a copy of another" : ""), site);
}

void require_new(const void* object, std::uint32_t mark, const char* what, std::uint32_t site) {
  if (mark == mark_of(object)) misuse(format_message("%s is initialised again, and was not destroyed", what), site);
}

}  // namespace inspect::runtime
