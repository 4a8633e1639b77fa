// visible=all: which locations are scheduling points. One becomes shared when a second thread touches it, and stays so over all executions of
// the search; what was explored before it grew is void, and the explorer starts again (SEMANTICS C.4).
#include <sys/mman.h>

#include "runtime/access.hpp"
#include "runtime/schedule.hpp"

namespace inspect::runtime {
namespace {

constexpr std::uintptr_t kTable = 0x205800000000;
constexpr std::size_t kEntries = 1ul << 22;  // granules of eight bytes

struct Entry {
  std::uint64_t granule;     // address / 8; 0: free
  std::uint32_t execution;   // in which `owner` touched it first
  std::uint8_t owner;
  bool shared;
};
struct Table {
  std::uint64_t used;
  std::uint32_t execution;
  bool mapped;
  Entry entries[kEntries];
};
Table& table() { return *reinterpret_cast<Table*>(kTable); }

Entry& entry_of(std::uint64_t granule) {
  Table& t = table();
  std::size_t at = (granule * 0x9E3779B97F4A7C15ull) >> 42;
  while (t.entries[at].granule && t.entries[at].granule != granule) at = (at + 1) % kEntries;
  Entry& e = t.entries[at];
  if (!e.granule) {
    if (++t.used > kEntries / 2) report_limit(INSPECT_LIMIT_MEMORY, "too many different memory locations for --visible=all", 0);
    e.granule = granule;
  }
  return e;
}

}  // namespace

void shared_begin_execution() {
  Table& t = table();
  if (!state().shared_mapped) {
    mmap(reinterpret_cast<void*>(kTable), sizeof(Table), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    state().shared_mapped = true;
  }
  ++t.execution;
}

bool shared_location(std::uintptr_t address, std::size_t size) {
  State& s = state();
  const std::uint32_t execution = table().execution;
  bool shared = false;
  for (std::uint64_t granule = address >> 3; granule <= (address + size - 1) >> 3; ++granule) {
    Entry& e = entry_of(granule);
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

}  // namespace inspect::runtime
