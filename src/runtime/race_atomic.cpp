// Atomic operations and fences: what they publish, what they acquire.
//
// Each byte of a location names the release clock of the release sequence it stands in, so that operations of mixed sizes read from exactly
// the stores whose bytes they read; a read-modify-write carries on the sequences of all its bytes. An operation of the usual kind finds one
// clock for all its bytes.
#include "runtime/race_state.hpp"

namespace inspect::runtime {
namespace {

constexpr bool acquires(inspect_order o) {
  return o == INSPECT_CONSUME || o == INSPECT_ACQUIRE || o == INSPECT_ACQ_REL || o == INSPECT_SEQ_CST;
}
constexpr bool releases(inspect_order o) { return o == INSPECT_RELEASE || o == INSPECT_ACQ_REL || o == INSPECT_SEQ_CST; }

struct Range {
  std::uint64_t begin;
  unsigned size;
};

// Calls f(number of a release clock) for each byte's that differs from its predecessor's; 0 for bytes without one.
template <class F> void for_each_release(RaceState& s, Range r, F&& f) {
  const std::uint64_t end = r.begin + r.size;
  bool first = true;
  std::uint32_t last = 0;
  for (std::uint64_t granule = r.begin & ~3ull; granule < end; granule += 4) {
    const std::uint32_t* const numbers = release_numbers(s, granule);
    for (std::uint64_t byte = granule < r.begin ? r.begin : granule; byte < end && byte < granule + 4; ++byte) {
      const std::uint32_t number = numbers ? numbers[byte & 3] : 0;
      if (first || number != last) f(number);
      first = false;
      last = number;
    }
  }
}

// The clock that all bytes of the range name and that was made for exactly this range; null if there is no such.
ReleaseClock* exact_release(RaceState& s, Range r) {
  std::uint32_t only = 0, different = 0;
  for_each_release(s, r, [&](std::uint32_t number) {
    only = number;
    ++different;
  });
  if (different != 1 || !only) return nullptr;
  ReleaseClock& c = release_clock(only);
  return c.address == r.begin && c.size == r.size ? &c : nullptr;
}

// Do the bytes stand in different release sequences?
bool joins_sequences(RaceState& s, Range r) {
  unsigned different = 0;
  for_each_release(s, r, [&](std::uint32_t) { ++different; });
  return different > 1;
}

// A clock for exactly this range, named by all its bytes from here on. With `inherit` it begins with what they released so far.
ReleaseClock* make_release(RaceState& s, Range r, bool inherit) {
  const std::uint32_t number = new_release_clock(s);
  if (!number) return nullptr;
  ReleaseClock& c = release_clock(number);
  c.address = r.begin;
  c.size = r.size;
  if (inherit)
    for_each_release(s, r, [&](std::uint32_t other) {
      if (!other || !release_clock(other).has_all) return;
      if (c.has_all) c.all.join(release_clock(other).all, s.hot.threads);
      else c.all.assign(release_clock(other).all, s.hot.threads);
      c.has_all = true;
    });
  for (std::uint64_t byte = r.begin; byte < r.begin + r.size; ++byte) {
    std::uint32_t* const numbers = make_release_numbers(s, byte & ~3ull);
    if (!numbers) return nullptr;  // the execution is marked as incomplete
    numbers[byte & 3] = number;
  }
  return &c;
}

// Acquires a clock that was read: at once, or at the thread's next acquire fence.
void acquire_from(RaceState& s, unsigned thread, const Clock& clock, inspect_order order) {
  if (acquires(order)) {
    s.clocks[thread].join(clock, s.hot.threads);
    return;
  }
  if (s.has_read[thread]) s.read[thread].join(clock, s.hot.threads);
  else s.read[thread].assign(clock, s.hot.threads);
  s.has_read[thread] = true;
}

// Reads all bytes; ends the runs of commuting operations there, for the reader stands between what came before and what follows.
void acquire_range(RaceState& s, unsigned thread, Range r, inspect_order order) {
  for_each_release(s, r, [&](std::uint32_t number) {
    if (!number) return;
    ReleaseClock& c = release_clock(number);
    c.run = 0;
    if (c.has_all) acquire_from(s, thread, c.all, order);
  });
}

// What a store or read-modify-write of this order publishes; null: nothing.
const Clock* published(const RaceState& s, unsigned thread, inspect_order order) {
  if (releases(order)) return &s.clocks[thread];
  return s.has_released[thread] ? &s.released[thread] : nullptr;
}

// From here on commuting operations of the group are a run: they acquire what the location has released so far.
void begin_run(RaceState& s, ReleaseClock& c, unsigned group) {
  c.run = group + 1;
  c.has_partial = c.has_all;
  if (c.has_all) c.partial.assign(c.all, s.hot.threads);
}

// A commuting operation acquires what preceded the run it belongs to, which it begins if need be.
void acquire_commuting(RaceState& s, unsigned thread, Range r, inspect_order order, unsigned group) {
  ReleaseClock* const c = exact_release(s, r);
  if (!c) return acquire_range(s, thread, r, order);
  if (c->run != group + 1) begin_run(s, *c, group);
  if (c->has_partial) acquire_from(s, thread, c->partial, order);
}

bool read_modify_write(RaceState& s, unsigned thread, Range r, inspect_order order, std::uint32_t site, bool commuting, unsigned group) {
  if (commuting) acquire_commuting(s, thread, r, order, group);
  else acquire_range(s, thread, r, order);
  if (!touch_range(s, thread, r.begin, r.size, AccessKind::atomic_write, site, false)) return false;
  const Clock* const clock = published(s, thread, order);
  ReleaseClock* c = exact_release(s, r);
  if (!c && (clock || joins_sequences(s, r))) {
    c = make_release(s, r, true);
    if (c && commuting) begin_run(s, *c, group);
  }
  if (c && clock) {
    if (c->has_all) c->all.join(*clock, s.hot.threads);
    else c->all.assign(*clock, s.hot.threads);
    c->has_all = true;
  }
  if (releases(order)) advance_epoch(s, thread);
  return true;
}

}  // namespace

bool race_atomic_load(std::uint8_t thread, std::uint64_t address, unsigned size, inspect_order order, std::uint32_t site) {
  RaceState& s = race_state();
  if (!s.hot.recording) return true;
  acquire_range(s, thread, {address, size}, order);
  return touch_range(s, thread, address, size, AccessKind::atomic_read, site, false);
}

bool race_atomic_store(std::uint8_t thread, std::uint64_t address, unsigned size, inspect_order order, std::uint32_t site) {
  RaceState& s = race_state();
  if (!s.hot.recording) return true;
  if (!touch_range(s, thread, address, size, AccessKind::atomic_write, site, false)) return false;
  const Range r{address, size};
  const Clock* const clock = published(s, thread, order);
  ReleaseClock* c = exact_release(s, r);
  if (clock) {
    if (!c) c = make_release(s, r, false);
    if (c) c->all.assign(*clock, s.hot.threads);
  } else if (!c) {
    // Ends the release sequences that its bytes stood in.
    for (std::uint64_t byte = address; byte < address + size; ++byte)
      if (std::uint32_t* const numbers = release_numbers(s, byte & ~3ull)) numbers[byte & 3] = 0;
  }
  if (c) {
    c->has_all = clock != nullptr;
    c->run = 0;
  }
  if (releases(order)) advance_epoch(s, thread);
  return true;
}

bool race_atomic_rmw(std::uint8_t thread, std::uint64_t address, unsigned size, inspect_order order, std::uint32_t site, bool commuting,
                     unsigned group) {
  RaceState& s = race_state();
  return !s.hot.recording || read_modify_write(s, thread, {address, size}, order, site, commuting, group);
}

bool race_atomic_cas(std::uint8_t thread, std::uint64_t address, unsigned size, bool success, inspect_order order, inspect_order failure,
                     std::uint32_t site) {
  if (!success) return race_atomic_load(thread, address, size, failure, site);
  return race_atomic_rmw(thread, address, size, order, site, false, 0);
}

void race_fence(std::uint8_t thread, inspect_order order) {
  RaceState& s = race_state();
  if (!s.hot.recording) return;
  if (acquires(order) && s.has_read[thread]) {
    s.clocks[thread].join(s.read[thread], s.hot.threads);
    s.has_read[thread] = false;
  }
  if (!releases(order)) return;
  s.released[thread].assign(s.clocks[thread], s.hot.threads);
  s.has_released[thread] = true;
  advance_epoch(s, thread);
}

}  // namespace inspect::runtime
