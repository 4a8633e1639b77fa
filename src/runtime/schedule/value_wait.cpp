#include "runtime/schedule/value_wait.hpp"
#include "runtime/memory/module.hpp"

#include <string.h>

#include "runtime/memory/arena.hpp"
#include "runtime/memory/liveness.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/platform/fiber.hpp"
#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/mutation.hpp"

namespace inspect::runtime {
namespace {

// Memory that is there as long as the process is: the scheduler reads it on the thread's behalf.
bool stays_mapped(const State& s, std::uint64_t begin, unsigned size) {
  const std::uint64_t end = begin + size;
  if (begin >= kArenaBase && end <= kArenaBase + kArenaBytes) return true;
  if (begin >= stack_top(0) - s.threads[0].stack.mapped && end <= stack_top(0)) return true;  // what others end, others tell of
  for (unsigned i = 0; i < modules().count; ++i)
    if (begin >= modules().list[i].begin && end <= modules().list[i].end) return true;
  return false;
}

}  // namespace

bool may_wait_for_value(std::uint64_t address, unsigned size) {
  const State& s = state();
  return s.request.waits && !s.execution.probing && !s.current->atomic_depth && stays_mapped(s, address, size);
}

Mask value_guard(const Thread& t) {
  const Operation& o = t.pending;
  if (check_access(o.object, o.size) != MemoryFault::none) return Mask::one(0);  // to be found out
  std::uint64_t value = 0;
  memcpy(&value, reinterpret_cast<const void*>(o.object), o.size);
  return inspect_waits_at(&o, value) ? Mask{} : Mask::one(0);
}

bool waits_for_value(const State& s, const Thread& t) { return inspect_awaits(&t.pending) && s.execution.guarded.has(t.id); }

bool any_waits_for_value(const State& s) {
  bool any = false;
  s.execution.alive.for_each([&](unsigned i) { any |= waits_for_value(s, s.threads[i]); });
  return any;
}

void refuse_unordered_wait(unsigned thread, const Operation& o) {
  if (mutated(Mutation::waits_race_with_nothing)) return;
  if (!race_free_unless_acquired(std::uint8_t(thread), o.object, o.size)) state().channel->waits_refused = 1;
}

void refuse_unordered_waits(const State& s) {
  s.execution.alive.for_each([&](unsigned i) {
    const Thread& t = s.threads[i];
    if (waits_for_value(s, t) && check_access(t.pending.object, t.pending.size) == MemoryFault::none)
      refuse_unordered_wait(i, t.pending);
  });
}

}  // namespace inspect::runtime
