// visible=all: which locations are scheduling points. One becomes shared when a second thread touches it, and stays so over all executions of
// the search; what was explored before it grew is void, and the explorer starts again (SEMANTICS C.4).
#include "runtime/access.hpp"
#include "runtime/schedule.hpp"

namespace inspect::runtime {
namespace {

constexpr std::uintptr_t kTable = INSPECT_CHANNEL_ADDRESS + sizeof(inspect_channel) + INSPECT_LOG_BYTES;
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
  Entry entries[kEntries];
};
static_assert(sizeof(Table) <= INSPECT_SHARED_TABLE_BYTES);
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

void shared_begin_execution() { ++table().execution; }

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
