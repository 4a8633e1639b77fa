#include "runtime/memory/race.hpp"

#include <string.h>
#include <sys/mman.h>

#include "runtime/memory/race_state.hpp"
#include "runtime/platform/state.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

void discard(std::uintptr_t begin, std::size_t size) { system_call(SYS_madvise, long(begin), long(size), MADV_DONTNEED); }

// Clocks are about to run out: everything recorded is dropped, and they begin again.
void flush(RaceState& s) {
  discard(kRaceCells, kRaceCellsBytes);
  discard(kExtents, kExtentsBytes);
  discard(kSyncObjects, kSyncObjectsBytes);
  discard(kLocationAccesses, kLocationAccessesBytes);
  memset(s.clocks, 0, sizeof s.clocks);
  memset(s.released, 0, sizeof s.released);
  memset(s.read, 0, sizeof s.read);
  memset(s.last_allocation, 0, sizeof s.last_allocation);
  memset(s.objects, 0, sizeof s.objects);
  s.hot.base = 0;
}

void set_epoch(RaceState& s, unsigned thread) {
  s.hot.epoch[thread] = AccessWord(s.clocks[thread].at[thread]) << kClockShift | AccessWord(thread) << kThreadShift;
}

void begin_thread(RaceState& s, unsigned thread) {
  s.clocks[thread].at[thread] = s.hot.base;
  s.has_released[thread] = s.has_read[thread] = false;
  set_epoch(s, thread);
}

// The object's release clock; null when it has none and `make` is false.
ReleaseClock* object_clock(RaceState& s, std::uint64_t name, bool make) {
  std::uint32_t slot = std::uint32_t((name * 0x9E3779B97F4A7C15ull) >> 32) % kSyncTable;
  for (;; slot = (slot + 1) % kSyncTable) {
    SyncObject& o = s.objects[slot];
    if (o.stamp == s.hot.base && o.name == name) return &release_clock(o.number);
    if (o.stamp == s.hot.base) continue;
    if (!make) return nullptr;
    if (++s.object_count > kSyncTable / 4 * 3) give_up_recording();
    o = {name, s.hot.base, new_release_clock(s)};
    return &release_clock(o.number);
  }
}

void release_into(RaceState& s, unsigned thread, Clock& clock, bool& present) {
  if (present)
    clock.join(s.clocks[thread], s.hot.threads);
  else
    clock.assign(s.clocks[thread], s.hot.threads);
  present = true;
  advance_epoch(s, thread);
}

}  // namespace

const RaceReport& race_report() { return race_state().report; }

void give_up_recording() {
  report_limit(INSPECT_LIMIT_MEMORY, "the race checker has no room for this many accesses or synchronisations", 0);
}

std::uint32_t new_release_clock(RaceState& s) {
  if (s.release_clocks == kReleaseClocks) give_up_recording();
  const std::uint32_t number = s.release_clocks++;
  ReleaseClock& c = release_clock(number);
  c.size = c.run = 0;
  c.whole = c.has_all = c.has_partial = false;
  return number;
}

void advance_epoch(RaceState& s, unsigned thread) {
  ClockValue& own = s.clocks[thread].at[thread];
  if (own == kClockLimit) give_up_recording();
  ++own;
  set_epoch(s, thread);
}

void race_begin_execution() {
  RaceState& s = race_state();
  ClockValue latest = s.hot.base;
  for (unsigned t = 0; t < s.hot.threads; ++t)
    if (s.clocks[t].at[t] > latest) latest = s.clocks[t].at[t];
  s.hot.base = latest;
  if (latest >= kFlushAt) flush(s);
  ++s.hot.base;
  s.hot.recording = false;
  s.hot.threads = 1;
  s.unjoined = s.object_count = 0;
  s.release_clocks = s.history_blocks = 1;
  begin_thread(s, 0);
}

void race_thread_created(std::uint8_t parent, std::uint8_t child) {
  RaceState& s = race_state();
  if (s.hot.threads <= child) s.hot.threads = child + 1u;
  s.clocks[child].assign(s.clocks[parent], s.hot.threads);
  begin_thread(s, child);
  advance_epoch(s, parent);
  ++s.unjoined;
  s.hot.recording = true;
}

void race_thread_joined(std::uint8_t joiner, std::uint8_t ended) {
  RaceState& s = race_state();
  s.clocks[joiner].join(s.clocks[ended], s.hot.threads);
  if (--s.unjoined == 0) s.hot.recording = false;
}

void race_thread_ended(std::uint8_t) {}  // its clock stands as it is for whoever joins it

void race_acquire(std::uint8_t thread, std::uint64_t object) {
  RaceState& s = race_state();
  if (!s.hot.recording) return;
  const ReleaseClock* const c = object_clock(s, object, false);
  if (!c) return;
  if (c->has_all) s.clocks[thread].join(c->all, s.hot.threads);
  if (c->has_partial) s.clocks[thread].join(c->partial, s.hot.threads);
}

void race_acquire_shared(std::uint8_t thread, std::uint64_t object) {
  RaceState& s = race_state();
  if (!s.hot.recording) return;
  const ReleaseClock* const c = object_clock(s, object, false);
  if (c && c->has_all) s.clocks[thread].join(c->all, s.hot.threads);
}

void race_release(std::uint8_t thread, std::uint64_t object) {
  RaceState& s = race_state();
  if (!s.hot.recording) return;
  ReleaseClock* const c = object_clock(s, object, true);
  release_into(s, thread, c->all, c->has_all);
}

void race_release_shared(std::uint8_t thread, std::uint64_t object) {
  RaceState& s = race_state();
  if (!s.hot.recording) return;
  ReleaseClock* const c = object_clock(s, object, true);
  release_into(s, thread, c->partial, c->has_partial);
}

bool race_access_strict(std::uint8_t thread, std::uintptr_t address, std::size_t size, bool write, std::uint32_t site) {
  RaceState& s = race_state();
  s.strict = true;
  const bool ok = race_access(thread, address, size, write, site);
  s.strict = false;
  return ok;
}

bool race_free_unless_acquired(std::uint8_t thread, std::uint64_t address, unsigned size) {
  RaceState& s = race_state();
  if (!s.hot.recording || address >> 47) return true;
  const Access a = make_access(s, thread, size, AccessKind::atomic_read, 0);
  s.strict = true;
  const bool ok = after_allocation(s, address, a) && check_range(s, address, size, a);
  s.strict = false;
  return ok;
}

bool race_access_slow(std::uint8_t thread, std::uintptr_t address, std::size_t size, bool write, std::uint32_t site) {
  RaceState& s = race_state();
  const Access a = make_access(s, thread, size, write ? AccessKind::write : AccessKind::read, site);
  return touch_range(s, address, size, a) && after_allocation(s, address, a);  // what was written there tells more
}

bool race_object_access(std::uint8_t thread, std::uintptr_t address, std::size_t size, bool write, std::uint32_t site) {
  RaceState& s = race_state();
  if (!s.hot.recording) return true;
  const Access a = make_access(s, thread, size, write ? AccessKind::atomic_write : AccessKind::atomic_read, site);
  return touch_range(s, address, size, a) && after_allocation(s, address, a);  // what was written there tells more
}

bool race_free(std::uint8_t thread, std::uintptr_t address, std::size_t size, std::uint32_t site) {
  RaceState& s = race_state();
  if (!s.hot.recording) return true;
  const Access end = make_access(s, thread, size, AccessKind::write, site, true);
  return check_range(s, address, size, end) && after_allocation(s, address, end);
}

bool race_stack_end(std::uint8_t thread, std::uintptr_t address, std::size_t size, std::uint32_t site) {
  RaceState& s = race_state();
  return !s.hot.recording || touch_range(s, address, size, make_access(s, thread, size, AccessKind::write, site, true));
}

void race_settled(std::uintptr_t address, std::size_t size) {
  const std::uintptr_t region = race_state().hot.regions[region_of(address)];
  if (!region || !size) return;
  const std::uintptr_t first = address & ~3ul, cells = (address + size - first + 3) / 4;
  memset(reinterpret_cast<void*>(region + 4 * first), 0, cells * sizeof(Cell));
}

std::uint32_t race_allocation(std::uint8_t thread) {
  RaceState& s = race_state();
  return s.hot.recording ? s.last_allocation[thread] = s.clocks[thread].at[thread] : 0;
}

}  // namespace inspect::runtime
