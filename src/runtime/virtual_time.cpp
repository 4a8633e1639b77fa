#include "runtime/virtual_time.hpp"

#include "runtime/spin.hpp"

namespace inspect::runtime {
namespace {

constexpr std::uint64_t kReadStep = 1000;  // a clock read takes this long

std::uint64_t* clock_of(std::uint64_t object) {
  State& s = state();
  if (!object) return nullptr;
  for (unsigned probe = 0, at = unsigned((object * 0x9E3779B97F4A7C15ull) >> 52); probe < kObjectClocks;
       ++probe, at = (at + 1) % kObjectClocks) {
    ObjectClock& entry = s.object_clocks[at];
    if (entry.object == object) return &entry.clock;
    if (entry.object) continue;
    if (++s.object_clock_count > kObjectClocks / 2)
      report_limit(INSPECT_LIMIT_MEMORY, "too many synchronisation objects in a program that uses time", 0);
    entry.object = object;
    return &entry.clock;
  }
  return nullptr;
}

void join_clock(std::uint64_t object, std::uint64_t& clock) {
  if (std::uint64_t* const other = clock_of(object)) {
    if (*other > clock) clock = *other;
    *other = clock;
  }
}

}  // namespace

void join_object_clocks(const Operation& o) {
  State& s = state();
  if (!s.time_used) return;  // every clock is still zero
  if (o.size) join_clock(o.object & ~7ull, s.current->clock);
  if (o.size2) join_clock(o.object2 & ~7ull, s.current->clock);
}

std::uint64_t read_clock() {
  State& s = state();
  s.time_used = true;
  s.channel->clock_read = 1;
  disturb(*s.current);
  return s.current->clock += kReadStep;
}

void advance_clock(std::uint64_t to_ns) {
  State& s = state();
  s.time_used = true;
  if (s.current->clock < to_ns) s.current->clock = to_ns;
}

}  // namespace inspect::runtime
