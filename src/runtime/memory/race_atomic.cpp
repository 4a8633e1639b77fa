// Atomic operations and fences: what they publish, what they acquire.
//
// The bytes that an atomic operation works on form a location, with the release clock of the release sequence it stands in and
// each thread's last operations. Each byte names its location. Operations of mixed sizes on the same bytes are the rare case: a
// store or read-modify-write of another size makes a new location, a read-modify-write carrying on the sequences of all its
// bytes; a load of another size reads from each location it touches.
#include "runtime/memory/race_state.hpp"

namespace inspect::runtime {
namespace {

constexpr bool acquires(inspect_order o) {
  return o == INSPECT_CONSUME || o == INSPECT_ACQUIRE || o == INSPECT_ACQ_REL || o == INSPECT_SEQ_CST;
}
constexpr bool releases(inspect_order o) { return o == INSPECT_RELEASE || o == INSPECT_ACQ_REL || o == INSPECT_SEQ_CST; }

// Addresses that are not of user space have no cells; the operation itself faults.
constexpr bool in_user_space(std::uint64_t address) { return address >> 47 == 0; }

struct Range {
  std::uint64_t begin;
  unsigned size;
  [[nodiscard]] std::uint64_t end() const { return begin + size; }
};

// Number of the location that is exactly this range; 0 if there is none.
std::uint32_t exact_location(RaceState& s, Range r) {
  const History* const h = history_at(s, r.begin & ~3ull);
  const std::uint32_t number = h ? h->location[r.begin & 3] : 0;
  if (!number) return 0;
  const ReleaseClock& c = release_clock(number);
  return c.whole && c.begin == r.begin && c.size == r.size ? number : 0;
}

// Calls f(granule, history, bytes of the range there) for each four bytes that have a history.
template <class F>
void for_each_history(RaceState& s, Range r, F&& f) {
  for (std::uint64_t granule = r.begin & ~3ull; granule < r.end(); granule += 4)
    if (History* const h = history_at(s, granule)) f(granule, *h, bytes_mask(granule, r.begin, r.end()));
}

// Calls f(number, bytes) for the locations named by some of these bytes of a history.
template <class F>
void for_each_location(const History& h, unsigned mask, F&& f) {
  for (unsigned rest = h.locations & mask; rest;) {
    const std::uint32_t number = h.location[__builtin_ctz(rest)];
    unsigned same = 0;
    for (unsigned byte = 0; byte < 4; ++byte)
      if ((rest >> byte & 1) && h.location[byte] == number) same |= 1u << byte;
    rest &= ~same;
    f(number, same);
  }
}

bool has_location(RaceState& s, Range r) {
  bool found = false;
  for_each_history(s, r, [&](std::uint64_t, const History& h, unsigned mask) { found |= (h.locations & mask) != 0; });
  return found;
}

void publish(const RaceState& s, ReleaseClock& c, const Clock& clock) {
  if (c.has_all)
    c.all.join(clock, s.hot.threads);
  else
    c.all.assign(clock, s.hot.threads);
  c.has_all = true;
}

// Bytes leave a location: its accesses remain known to them.
void leave_location(RaceState& s, std::uint64_t granule, std::uint32_t number, unsigned bytes) {
  release_clock(number).whole = false;
  const LocationAccesses& l = location_accesses(number);
  const auto keep = [&](AccessWord word) {
    if (clock_of(word) >= s.hot.base) add_to_history(s, granule, word | AccessWord(bytes) << kMaskShift);
  };
  for (unsigned t = 0; t < s.hot.threads; ++t) {
    keep(l.read[t]);
    keep(l.write[t]);
  }
}

// A new location of exactly this range. With `inherit` it carries on the release sequences of all
// its bytes.
std::uint32_t make_location(RaceState& s, Range r, bool inherit) {
  const std::uint32_t number = new_release_clock(s);
  ReleaseClock& c = release_clock(number);
  c.begin = r.begin;
  c.size = r.size;
  c.whole = true;
  for (std::uint64_t granule = r.begin & ~3ull; granule < r.end(); granule += 4) {
    const unsigned mask = bytes_mask(granule, r.begin, r.end());
    const History before = make_history(s, granule);  // a copy: it moves when it grows
    for_each_location(before, mask, [&](std::uint32_t other, unsigned bytes) {
      if (inherit && release_clock(other).has_all) publish(s, c, release_clock(other).all);
      leave_location(s, granule, other, bytes);
    });
    History* const h = history_at(s, granule);
    for (unsigned byte = 0; byte < 4; ++byte)
      if (mask >> byte & 1) h->location[byte] = number;
    h->locations |= mask;
  }
  return number;
}

// Acquires a clock that was read: at once, or at the thread's next acquire fence.
void acquire_from(RaceState& s, unsigned thread, const Clock& clock, inspect_order order) {
  if (acquires(order)) {
    s.clocks[thread].join(clock, s.hot.threads);
    return;
  }
  if (s.has_read[thread])
    s.read[thread].join(clock, s.hot.threads);
  else
    s.read[thread].assign(clock, s.hot.threads);
  s.has_read[thread] = true;
}

// Reads a location; ends its run of commuting operations, for the reader stands between what came before and what follows.
void acquire_location(RaceState& s, unsigned thread, std::uint32_t number, inspect_order order) {
  ReleaseClock& c = release_clock(number);
  c.run = 0;
  if (c.has_all) acquire_from(s, thread, c.all, order);
}

void acquire_range(RaceState& s, unsigned thread, Range r, inspect_order order) {
  for_each_history(s, r, [&](std::uint64_t, const History& h, unsigned mask) {
    for_each_location(h, mask, [&](std::uint32_t number, unsigned) { acquire_location(s, thread, number, order); });
  });
}

// From here on commuting operations of the group are a run: they acquire what the location has released so far.
void begin_run(RaceState& s, ReleaseClock& c, unsigned group) {
  c.run = group + 1;
  c.has_partial = c.has_all;
  if (c.has_all) c.partial.assign(c.all, s.hot.threads);
}

// A commuting operation acquires what preceded the run it belongs to, which it begins if need be (C.3).
void acquire_commuting(RaceState& s, unsigned thread, ReleaseClock& c, inspect_order order, unsigned group) {
  if (c.run != group + 1) begin_run(s, c, group);
  if (c.has_partial) acquire_from(s, thread, c.partial, order);
}

// Checks an operation on the whole of a location and records it there.
bool touch_location(RaceState& s, unsigned thread, Range r, std::uint32_t number, AccessKind kind, std::uint32_t site) {
  const Access a = make_access(s, thread, r.size, kind, site);
  if (!after_allocation(s, r.begin, a)) return false;
  for (std::uint64_t granule = r.begin & ~3ull; granule < r.end(); granule += 4) {
    History* const h = history_at(s, granule);
    if (h->count && !pass_history(s, *h, granule, bytes_mask(granule, r.begin, r.end()), a)) return false;
  }
  LocationAccesses& l = location_accesses(number);
  (kind == AccessKind::atomic_write ? l.write : l.read)[thread] = a.word;
  return true;
}

// What a store or read-modify-write of this order publishes; null: nothing.
const Clock* published(const RaceState& s, unsigned thread, inspect_order order) {
  if (releases(order)) return &s.clocks[thread];
  return s.has_released[thread] ? &s.released[thread] : nullptr;
}

bool load(RaceState& s, unsigned thread, Range r, inspect_order order, std::uint32_t site) {
  std::uint32_t number = exact_location(s, r);
  if (!number && !has_location(s, r)) number = make_location(s, r, false);
  if (number) {
    acquire_location(s, thread, number, order);
    return touch_location(s, thread, r, number, AccessKind::atomic_read, site);
  }
  acquire_range(s, thread, r, order);
  const Access a = make_access(s, thread, r.size, AccessKind::atomic_read, site);
  return after_allocation(s, r.begin, a) && touch_range(s, r.begin, r.size, a);
}

bool store(RaceState& s, unsigned thread, Range r, inspect_order order, std::uint32_t site) {
  std::uint32_t number = exact_location(s, r);
  if (!number) number = make_location(s, r, false);
  if (!touch_location(s, thread, r, number, AccessKind::atomic_write, site)) return false;
  ReleaseClock& c = release_clock(number);
  const Clock* const clock = published(s, thread, order);
  if (clock) c.all.assign(*clock, s.hot.threads);
  c.has_all = clock != nullptr;
  c.run = 0;
  if (releases(order)) advance_epoch(s, thread);
  return true;
}

bool read_modify_write(RaceState& s, unsigned thread, Range r, inspect_order order, std::uint32_t site, unsigned group) {
  std::uint32_t number = exact_location(s, r);
  if (!number) number = make_location(s, r, true);
  ReleaseClock& c = release_clock(number);
  if (group)
    acquire_commuting(s, thread, c, order, group);
  else
    acquire_location(s, thread, number, order);
  if (!touch_location(s, thread, r, number, AccessKind::atomic_write, site)) return false;
  if (const Clock* const clock = published(s, thread, order)) publish(s, c, *clock);
  if (releases(order)) advance_epoch(s, thread);
  return true;
}

}  // namespace

bool race_atomic_load(std::uint8_t thread, std::uint64_t address, unsigned size, inspect_order order, std::uint32_t site) {
  RaceState& s = race_state();
  return !s.hot.recording || !in_user_space(address) || load(s, thread, {address, size}, order, site);
}

bool race_atomic_store(std::uint8_t thread, std::uint64_t address, unsigned size, inspect_order order, std::uint32_t site) {
  RaceState& s = race_state();
  return !s.hot.recording || !in_user_space(address) || store(s, thread, {address, size}, order, site);
}

bool race_atomic_rmw(std::uint8_t thread, std::uint64_t address, unsigned size, inspect_order order, std::uint32_t site,
                     unsigned group) {
  RaceState& s = race_state();
  return !s.hot.recording || !in_user_space(address) || read_modify_write(s, thread, {address, size}, order, site, group);
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
