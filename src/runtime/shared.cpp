// visible=all: which locations are scheduling points. One becomes shared when a second thread touches it, and stays so over all
// executions of the search; what was explored before it grew is void, and the explorer starts again (SEMANTICS C.4).
#include "hooks/shared_table.h"
#include "runtime/access.hpp"
#include "runtime/schedule.hpp"

namespace inspect::runtime {
namespace {

inspect_shared_table& table() { return *inspect_shared_table_of(reinterpret_cast<inspect_channel*>(INSPECT_CHANNEL_ADDRESS)); }

inspect_shared_entry& entry_of(std::uint64_t granule) {
  inspect_shared_entry* const entry = inspect_shared_entry_of(&table(), granule);
  if (!entry) report_limit(INSPECT_LIMIT_MEMORY, "too many different memory locations for --visible=all", 0);
  return *entry;
}

}  // namespace

void shared_begin_execution() { ++table().execution; }

bool shared_location(std::uintptr_t address, std::size_t size) {
  State& s = state();
  const std::uint32_t execution = table().execution;
  bool shared = false;
  for (std::uint64_t granule = address >> 3; granule <= (address + size - 1) >> 3; ++granule) {
    inspect_shared_entry& e = entry_of(granule);
    if (e.execution != execution) {
      e.execution = execution;
      e.owner = s.current->id;
    } else if (!e.shared && e.owner != s.current->id) {
      e.shared = true;
      ++s.channel->shared_locations_grew;
    }
    shared |= e.shared;
  }
  return shared;
}

bool is_made_shared(std::uintptr_t address) { return entry_of(address >> 3).shared; }

void make_shared(std::uintptr_t address) {
  inspect_shared_entry& e = entry_of(address >> 3);
  if (e.shared) return;
  e.shared = true;
  ++state().channel->shared_locations_grew;
}

}  // namespace inspect::runtime
