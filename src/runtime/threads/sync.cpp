#include "runtime/threads/sync.hpp"

#include "runtime/memory/liveness.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/virtual_time.hpp"
#include "runtime/states/sync_objects.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

constexpr std::uint32_t kTouchedBytes = 4;  // every free, copy or overwriting of an object includes its first bytes

void touch(std::uint64_t object, std::uint32_t size, bool write, std::uint32_t site) {
  if (check_access(object, size) != MemoryFault::none) report_dead_access(object, size, write, site);
  if (!race_object_access(current_thread(), object, size < kTouchedBytes ? size : kTouchedBytes, write, site)) report_race();
}

unsigned announce_before_main(const Operation& o, Guard guard) {
  Thread& t = state().threads[0];
  t.pending = o;
  if (!guard) return 0;
  const Mask alternatives = guard(t);
  if (alternatives.empty()) report_unsupported("a constructor blocks for ever", o.site);
  return alternatives.first();
}

}  // namespace

unsigned announce(const Operation& o, Guard guard) {
  if (!active()) return announce_before_main(o, guard);
  const unsigned alternative = visible(o, guard);
  const bool write = inspect_effect_of(o.kind) == INSPECT_EFFECT_Write;
  touch(o.object, o.size, write, o.site);
  // A condition variable may be gone when a waiter that it woke locks the mutex again.
  if (o.size2 && o.kind != INSPECT_OP_CondWake) touch(o.object2, o.size2, write, o.site);
  return alternative;
}

void initialise_object(void* object, std::size_t size, inspect_family family, std::uint32_t site) {
  if (!active()) return;
  note_sync_object(reinterpret_cast<std::uintptr_t>(object), family);
  access(reinterpret_cast<std::uintptr_t>(object), size, true, site);
}

void misuse(const char* text, std::uint32_t site) { report_bug(INSPECT_BUG_API_MISUSE, text, site); }

Mask blocked(const Thread& t) {
  // Heap only: whether a stack object is dead depends on who asks, and enabledness must not.
  const std::uint64_t object = t.pending.object;
  return enabled_if(object - kArenaBase < kArenaBytes && check_access(object, t.pending.size) != MemoryFault::none);
}

Deadline deadline_of(clockid_t clock, const timespec* time) {
  if (time->tv_nsec < 0 || time->tv_nsec >= 1'000'000'000) return {false, 0};
  const std::int64_t epoch = clock == CLOCK_REALTIME ? std::int64_t(kEpochSeconds) : 0;
  const std::int64_t seconds = time->tv_sec - epoch;
  constexpr std::int64_t kFarthest = INT64_MAX / 1'000'000'000 - 1;
  if (time->tv_sec < 0 || seconds < 0) return {true, 0};
  return {true, std::uint64_t(seconds > kFarthest ? kFarthest : seconds) * 1'000'000'000 + std::uint64_t(time->tv_nsec)};
}

int take_time_out(const Deadline& deadline) {
  if (!deadline.valid) return EINVAL;
  if (active()) advance_clock(deadline.at);
  return ETIMEDOUT;
}

}  // namespace inspect::runtime
