#include "process/locations.hpp"

#include <algorithm>
#include <charconv>

#include "hooks/address_map.hpp"

namespace inspect::process {
namespace {

// Each thread has its own slice.
struct Region {
  const char* name;
  std::uint64_t base, slice;
};
constexpr Region kRegions[] = {{"stack", runtime::kStackBase, runtime::kStackSlot},
                               {"locals", runtime::kThreadLocalsBase, runtime::kThreadLocalsSlice},
                               {"heap", runtime::kArenaBase, runtime::kArenaSlice},
                               {"mapping", runtime::kMappedBase, runtime::kMappedSlice}};

unsigned module_count(const inspect_channel& c) { return std::min<unsigned>(c.module_count, INSPECT_MAX_MODULES); }

bool fits(const SchedulePoint& point, std::uint64_t whole) {
  return point.offset < whole && point.bytes <= whole - point.offset;
}

}  // namespace

std::optional<SchedulePoint> point_at(std::uint64_t address, std::uint64_t bytes, const inspect_channel& channel,
                                      const Names& names) {
  for (const Region& r : kRegions)
    if (address >= r.base && address - r.base < r.slice * kMaxThreads) {
      const auto thread = static_cast<ThreadId>((address - r.base) / r.slice);
      return SchedulePoint{r.name, names.thread(thread), (address - r.base) % r.slice, bytes};
    }
  for (unsigned k = 0; k < module_count(channel); ++k)
    if (const inspect_module& i = channel.modules[k]; address >= i.begin && address < i.end)
      return SchedulePoint{"image", std::to_string(k), address - i.begin, bytes};
  return std::nullopt;
}

std::optional<std::uint64_t> address_of(const SchedulePoint& point, const inspect_channel& channel,
                                        const ThreadNumbers& numbers) {
  for (const Region& r : kRegions) {
    if (point.region != r.name) continue;
    const auto thread = numbers.find(point.owner);
    if (thread == numbers.end() || !fits(point, r.slice)) return std::nullopt;
    return r.base + thread->second * r.slice + point.offset;
  }
  unsigned module = 0;
  std::from_chars(point.owner.data(), point.owner.data() + point.owner.size(), module);
  if (module >= module_count(channel)) return std::nullopt;
  const inspect_module& i = channel.modules[module];
  return fits(point, i.end - i.begin) ? std::optional(i.begin + point.offset) : std::nullopt;
}

}  // namespace inspect::process
