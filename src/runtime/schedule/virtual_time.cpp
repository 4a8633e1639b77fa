#include "runtime/schedule/virtual_time.hpp"

#include "hooks/dependence.h"
#include "runtime/platform/memory_map.hpp"
#include "runtime/schedule/atomic_section.hpp"
#include "runtime/schedule/loop_state.hpp"
#include "runtime/states/state_hash.hpp"
#include "runtime/upcalls/disturbance.hpp"
#include "runtime/upcalls/identities.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

// When the operations that others depend on took place.
struct ObjectClock {
  Operation operation;
  std::uint64_t word;  // of the eight bytes at which the operation is found
  std::uint64_t clock;
};
constexpr unsigned kMostClocks = 4096;
struct ObjectClocks {
  unsigned count;
  ObjectClock entries[kMostClocks];
};
ObjectClocks& object_clocks() { return part<ObjectClocks>(Part::object_clocks); }

constexpr std::uint64_t kReadStep = 1000;  // a clock read takes this long

// The words at which an operation is found by those that depend on it. Objects of synchronisation begin where they begin;
// accesses of different sizes may meet anywhere.
template <class F>
void for_each_word(const Operation& o, F&& f) {
  constexpr std::uint32_t kLargestAccess = 16;
  if (o.size) {
    const std::uint64_t end = o.size <= kLargestAccess ? o.object + o.size : o.object + 1;
    for (std::uint64_t word = o.object & ~7ull; word < end; word += 8) f(word);
  }
  if (o.size2) f(o.object2 & ~7ull);
}

bool same(const Operation& a, const Operation& b) {
  return a.kind == b.kind && a.rmw == b.rmw && a.flags == b.flags && a.object == b.object && a.size == b.size &&
         a.object2 == b.object2 && a.size2 == b.size2;
}

// Calls f for each entry at this word, then for a free one.
template <class F>
void for_each_entry(std::uint64_t word, F&& f) {
  for (unsigned at = unsigned((word * 0x9E3779B97F4A7C15ull) >> 52);; at = (at + 1) % kMostClocks) {
    ObjectClock& entry = object_clocks().entries[at];
    if (entry.word && entry.word != word) continue;
    f(entry);
    if (!entry.word) return;
  }
}

void learn(const Operation& o, std::uint64_t word, std::uint64_t& clock) {
  for_each_entry(word, [&](const ObjectClock& entry) {
    if (entry.word && entry.clock > clock && inspect_dependent(&o, &entry.operation)) clock = entry.clock;
  });
}

void teach(const Operation& o, std::uint64_t word, std::uint64_t clock) {
  bool known = false;
  ObjectClock* free_entry = nullptr;
  for_each_entry(word, [&](ObjectClock& entry) {
    if (!entry.word) {
      free_entry = &entry;
    } else if (same(entry.operation, o)) {
      known = true;
      if (clock > entry.clock) entry.clock = clock;
    }
  });
  if (known) return;
  if (++object_clocks().count > kMostClocks / 2)
    report_limit(INSPECT_LIMIT_MEMORY, "too many synchronisation objects in a program that uses time", 0);
  *free_entry = {o, word, clock};
}

}  // namespace

void join_object_clocks(const Operation& o) {
  State& s = state();
  if (!s.execution.time_used) return;  // every clock is still zero
  std::uint64_t& clock = s.current->clock;
  for_each_word(o, [&](std::uint64_t word) { learn(o, word, clock); });
  if (!clock) return;
  for_each_word(o, [&](std::uint64_t word) { teach(o, word, clock); });
}

void join_section_clocks() {
  const AtomicSection& section = atomic_section();
  for (unsigned i = 0; i < section.count; ++i) join_object_clocks(section.ranges[i]);
}

void begin_virtual_time() {
  if (object_clocks().count) object_clocks() = {};
}

void describe_virtual_time(StateHash& hash) {
  if (state().execution.time_used) hash.bytes(object_clocks().entries, sizeof object_clocks().entries);
}

namespace {
void note_time(State& s) {
  s.execution.time_used = true;
  s.channel->time_used = 1;
}
}  // namespace

std::uint64_t read_clock() {
  State& s = state();
  note_time(s);
  s.channel->clock_read = 1;
  disturb(*s.current);
  loop_watch(*s.current).change = {"the time that it reads", 0};
  if (s.log_level == kLogAccesses) append_record(INSPECT_RECORD_CLOCK, s.current->id, s.current->pending);
  return s.current->clock += kReadStep;
}

void advance_clock(std::uint64_t to_ns) {
  State& s = state();
  note_time(s);
  if (s.current->clock < to_ns) s.current->clock = to_ns;
}

}  // namespace inspect::runtime
