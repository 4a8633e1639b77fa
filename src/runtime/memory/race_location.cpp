// Locations: the accesses to each four bytes that still matter, and the check of a new one against them.
//
// An access is dropped from the record when a later one, ordered after it, conflicts with all that it conflicts with: whoever
// is unordered with the dropped access is unordered with the later one as well.
#include <string.h>

#include "runtime/memory/arena.hpp"
#include "runtime/memory/race_state.hpp"
#include "runtime/upcalls/races.hpp"

namespace inspect::runtime {
namespace {

constexpr unsigned capacity_of(unsigned blocks) { return unsigned((blocks * kBlock - sizeof(History)) / sizeof(AccessWord)); }
constexpr unsigned kMostBlocks = 512;

constexpr AccessWord reference_to(ClockValue base, std::uint32_t block) {
  return AccessWord(base) << kClockShift | AccessWord(block >> kMaskShift) << kKindShift | (block & ((1u << kMaskShift) - 1));
}

constexpr bool conflict(AccessKind a, AccessKind b) {
  if (!is_write(a) && !is_write(b)) return false;
  return !(is_atomic(a) && is_atomic(b));
}
// Everything that conflicts with `old` conflicts with `now`.
constexpr bool covers(AccessKind now, AccessKind old) {
  switch (now) {
    case AccessKind::write:
      return true;
    case AccessKind::atomic_read:
      return old == AccessKind::atomic_read;
    default:
      return old == now || old == AccessKind::atomic_read;
  }
}

std::uint32_t full_site(const RaceState& s, std::uint32_t number) {
  return number < kDirectSites ? number : s.interned[number - kDirectSites];
}

bool ordered(const RaceState& s, AccessWord old, unsigned thread) {
  const unsigned other = thread_of_word(old);
  return other == thread || clock_of(old) <= s.clocks[thread].at[other];
}

// May the execution go on?
bool report(RaceState& s, const Access& a, AccessWord old, std::uintptr_t granule, unsigned overlap) {
  RaceReport& r = s.report;
  r.address = granule + unsigned(__builtin_ctz(overlap));
  r.size = a.size;
  r.thread = std::uint8_t(a.thread);
  r.other_thread = std::uint8_t(thread_of_word(old));
  r.site = a.site;
  r.other_site = full_site(s, site_of(old));
  r.write = is_write(a.kind);
  r.other_write = is_write(kind_of(old));
  r.atomic = is_atomic(a.kind);
  r.other_atomic = is_atomic(kind_of(old));
  r.with_free = (a.word | old) & kFreeBit;
  r.other_freed = old & kFreeBit;
  r.other_allocated = false;
  return !s.strict && race_goes_on();
}

// Of n recorded accesses at `words`, keeps what still matters beside the new one; false if one of them races with it.
// *known: the new access says nothing new.
struct Recorded {
  AccessWord* words;
  unsigned count;
};
bool sift(RaceState& s, const Access& a, std::uintptr_t granule, unsigned mask, Recorded& all, bool* known) {
  AccessWord* const words = all.words;
  unsigned kept = 0;
  for (unsigned i = 0; i < all.count; ++i) {
    AccessWord old = words[i];
    const unsigned overlap = mask_of(old) & mask;
    if (overlap) {
      const bool is_ordered = ordered(s, old, a.thread);
      if (!is_ordered && conflict(a.kind, kind_of(old)) && !report(s, a, old, granule, overlap)) return false;
      const bool same_epoch = (old ^ a.word) >> kThreadShift == 0;
      if (same_epoch && overlap == mask && !((old | a.word) & kFreeBit) && covers(kind_of(old), a.kind)) *known = true;
      // A frame's end is forgotten once its thread uses the bytes again.
      if (is_ordered && !*known && (covers(a.kind, kind_of(old)) || ((old & kFreeBit) && thread_of_word(old) == a.thread)))
        old = without_bytes(old, overlap);
    }
    if (mask_of(old)) words[kept++] = old;
  }
  all.count = kept;
  return true;
}

// Adds a word, as more bytes of an equal access if there is one. False: no room.
bool add(AccessWord* words, unsigned* n, unsigned capacity, AccessWord word) {
  for (unsigned i = 0; i < *n; ++i) {
    if ((words[i] ^ word) & ~kMaskBits) continue;
    words[i] |= word;
    return true;
  }
  if (*n == capacity) return false;
  words[(*n)++] = word;
  return true;
}

// A history for the cell with n accesses and, if the old one is full, twice its room.
History& grow(RaceState& s, Cell& cell, const AccessWord* words, unsigned n, const History* old) {
  const unsigned blocks = old ? 2 * unsigned((sizeof(History) + old->capacity * sizeof(AccessWord) + kBlock - 1) / kBlock) : 1;
  if (blocks > kMostBlocks || s.history_blocks + blocks > kHistoriesBytes / kBlock) give_up_recording();
  const std::uint32_t block = s.history_blocks;
  s.history_blocks += blocks;
  History& h = history(block);
  if (old)
    memcpy(&h, old, sizeof h);
  else
    memset(&h, 0, sizeof h);
  h.count = std::uint16_t(n);
  h.capacity = std::uint16_t(capacity_of(blocks));
  for (unsigned i = 0; i < n; ++i) h.accesses[i] = words[i];
  cell.words[0] = reference_to(s.hot.base, block);
  cell.words[1] = 0;
  return h;
}

// An atomic operation of another thread on a location that these bytes belong to and that is unordered with the access.
bool check_locations(RaceState& s, const History& h, std::uintptr_t granule, unsigned mask, const Access& a) {
  for (unsigned bytes = h.locations & mask; bytes; bytes &= bytes - 1) {
    const unsigned byte = unsigned(__builtin_ctz(bytes));
    const LocationAccesses& l = location_accesses(h.location[byte]);
    for (unsigned t = 0; t < s.hot.threads; ++t) {
      const auto races = [&](AccessWord old) { return clock_of(old) >= s.hot.base && !ordered(s, old, a.thread); };
      if (races(l.write[t]) && !report(s, a, l.write[t], granule, 1u << byte)) return false;
      if (is_write(a.kind) && races(l.read[t]) && !report(s, a, l.read[t], granule, 1u << byte)) return false;
    }
    for (unsigned next = byte + 1; next < 4; ++next)
      if (h.location[next] == h.location[byte]) bytes &= ~(1u << next);
  }
  return true;
}

// Does the access race with one of n recorded ones?
bool check_accesses(RaceState& s, const AccessWord* words, unsigned n, std::uintptr_t granule, unsigned mask, const Access& a) {
  for (unsigned i = 0; i < n; ++i) {
    const unsigned overlap = mask_of(words[i]) & mask;
    if (!overlap || clock_of(words[i]) < s.hot.base || !conflict(a.kind, kind_of(words[i])) || ordered(s, words[i], a.thread))
      continue;
    if (!report(s, a, words[i], granule, overlap)) return false;
  }
  return true;
}

// The objects that the bytes were part of are no more: what stands there next has nothing to do with their atomic operations.
void leave_locations(History& h, unsigned mask) {
  for (unsigned byte = 0; byte < 4; ++byte) {
    if (!((h.locations & mask) >> byte & 1)) continue;
    release_clock(h.location[byte]).whole = false;
    h.location[byte] = 0;
  }
  h.locations &= ~mask;
}

// In a cell with a history the second word is the last access: a repetition is recognised by it alone.
bool touch_history(RaceState& s, Cell& cell, History& h, const Access& a, std::uintptr_t granule, unsigned mask) {
  const AccessWord word = a.word | AccessWord(mask) << kMaskShift;
  if (says_as_much(cell.words[1], word)) return true;
  Recorded all{h.accesses, h.count};
  bool known = false;
  if (!sift(s, a, granule, mask, all, &known)) return false;
  unsigned& n = all.count;
  if (h.locations && !is_atomic(a.kind) && !check_locations(s, h, granule, mask, a)) return false;
  if (a.word & kFreeBit) leave_locations(h, mask);
  History* now = &h;
  if (!known && !add(h.accesses, &n, h.capacity, word)) {
    now = &grow(s, cell, h.accesses, n, &h);
    add(now->accesses, &n, now->capacity, word);
  }
  now->count = std::uint16_t(n);
  cell.words[1] = word & kFreeBit ? 0 : word;
  return true;
}

// Which of a cell's words are of this execution.
struct Present {
  bool first, second;
};

bool touch_recorded(RaceState& s, Cell& cell, const Access& a, std::uintptr_t granule, unsigned mask, Present has) {
  AccessWord words[3];
  Recorded all{words, 0};
  unsigned& n = all.count;
  if (has.first) words[n++] = cell.words[0];
  if (has.second) words[n++] = cell.words[1];
  bool known = false;
  if (!sift(s, a, granule, mask, all, &known)) return false;
  if (!known) add(words, &n, 3, a.word | AccessWord(mask) << kMaskShift);
  if (n == 3) {
    grow(s, cell, words, n, nullptr);
    return true;
  }
  // Writes in front, where the fast path looks for them.
  const bool back = n && !is_write(kind_of(words[0]));
  cell.words[back] = n ? words[0] : 0;
  cell.words[!back] = n == 2 ? words[1] : 0;
  return true;
}

// The usual case: the one recorded write or read, if any, is ordered before and covered. False: not the usual case.
inline bool replace(const RaceState& s, Cell& cell, const Access& a, AccessWord word, Present has) {
  const auto gives_way = [&](AccessWord old) { return !(mask_of(old) & ~mask_of(word)) && ordered(s, old, a.thread); };
  if (has.second && !(gives_way(cell.words[1]) && covers(a.kind, kind_of(cell.words[1])))) return false;
  if (a.kind == AccessKind::write) {
    if (has.first && !gives_way(cell.words[0])) return false;
    cell.words[0] = word;
    if (has.second) cell.words[1] = 0;
    return true;
  }
  if (has.first && ((cell.words[0] & kFreeBit) || !ordered(s, cell.words[0], a.thread))) return false;
  cell.words[1] = word;
  return true;
}

inline bool touch_cell(RaceState& s, Cell& cell, const Access& a, std::uintptr_t granule, unsigned mask) {
  const AccessWord first = cell.words[0];
  const Present has{clock_of(first) >= s.hot.base, clock_of(cell.words[1]) >= s.hot.base};
  if (has.first && is_reference(first)) return touch_history(s, cell, history(block_of(first)), a, granule, mask);
  if (replace(s, cell, a, a.word | AccessWord(mask) << kMaskShift, has)) return true;
  return touch_recorded(s, cell, a, granule, mask, has);
}

// 64 KB of cells; stamped when one of them is written.
ClockValue& extent_of(const Cell* cell) {
  return reinterpret_cast<ClockValue*>(kExtents)[(std::uintptr_t(cell) - kRaceCells) >> 16];
}
constexpr std::uintptr_t kExtentBytes = 65536 / sizeof(Cell) * 4;  // of program memory

void stamp_extent(RaceState& s, const Cell* cell) {
  ClockValue& extent = extent_of(cell);
  if (extent != s.hot.base) extent = s.hot.base;
}

}  // namespace

std::uint32_t interned_site(RaceState& s, std::uint32_t site) {
  std::uint32_t slot = (site * 0x9E3779B1u) % kInternedSites;
  for (unsigned probe = 0; probe < 64; ++probe, slot = (slot + 1) % kInternedSites) {
    if (!s.interned[slot]) s.interned[slot] = site;
    if (s.interned[slot] == site) return kDirectSites + slot;
  }
  return 0;  // unknown: a matter of the message only
}
std::uintptr_t assign_region(RaceState& s, std::uintptr_t region) {
  if (region >= sizeof s.hot.regions / sizeof *s.hot.regions) return 0;
  if (s.hot.region_count == kRegionSlots) give_up_recording();
  s.hot.regions[region] = kRaceCells + s.hot.region_count++ * kRegionCellBytes - 4 * (region << kRegionBits);
  return s.hot.regions[region];
}

bool touch_range(RaceState& s, std::uintptr_t address, std::size_t size, const Access& a) {
  const std::uintptr_t end = address + size;
  if (end <= address) return true;  // nothing, or past the end of the address space: the access itself will fault
  const AccessWord whole = a.word | kMaskBits;
  for (std::uintptr_t granule = address & ~3ul; granule < end;) {
    const std::uintptr_t next_extent = (granule | (kExtentBytes - 1)) + 1, stop = next_extent < end ? next_extent : end;
    Cell* cell = cell_at(s, granule);
    if (!cell) {
      granule = next_extent;
      continue;
    }
    stamp_extent(s, cell);
    for (; granule < stop; granule += 4, ++cell) {
      // Nothing here in this execution, as in most of a range that is filled.
      const bool fresh = clock_of(cell->words[0]) < s.hot.base && clock_of(cell->words[1]) < s.hot.base;
      if (fresh && granule >= address && end - granule >= 4)
        cell->words[a.kind != AccessKind::write] = whole;
      else if (!touch_cell(s, *cell, a, granule, bytes_mask(granule, address, end)))
        return false;
    }
  }
  return true;
}

bool pass_history(RaceState& s, History& h, std::uintptr_t granule, unsigned mask, const Access& a) {
  if (!check_accesses(s, h.accesses, h.count, granule, mask, a)) return false;
  unsigned kept = 0;
  for (unsigned i = 0; i < h.count; ++i) {
    AccessWord old = h.accesses[i];
    if ((old & kFreeBit) && thread_of_word(old) == a.thread) old = without_bytes(old, mask);
    if (mask_of(old)) h.accesses[kept++] = old;
  }
  h.count = std::uint16_t(kept);
  return true;
}

bool check_range(RaceState& s, std::uintptr_t address, std::size_t size, const Access& a) {
  const std::uintptr_t end = address + size;
  for (std::uintptr_t granule = address & ~3ul; granule < end; granule += 4) {
    Cell* const cell = cell_at(s, granule);
    if (!cell || extent_of(cell) != s.hot.base) {
      granule |= kExtentBytes - 4;  // nothing here in this execution
      continue;
    }
    const unsigned mask = bytes_mask(granule, address, end);
    const History* const h = history_at(s, granule);
    const bool passes = h ? check_accesses(s, h->accesses, h->count, granule, mask, a) &&
                                (is_atomic(a.kind) || check_locations(s, *h, granule, mask, a))
                          : check_accesses(s, cell->words, 2, granule, mask, a);
    if (!passes) return false;
  }
  return true;
}

namespace {
bool report_allocation(RaceState& s, std::uintptr_t address, const Access& a, const ObjectRecord& object) {
  RaceReport& r = s.report;
  r = {};
  r.address = address;
  r.size = a.size;
  r.thread = std::uint8_t(a.thread);
  r.other_thread = std::uint8_t(arena_owner(address));
  r.site = a.site;
  r.other_site = object.allocation_site;
  r.write = is_write(a.kind);
  r.atomic = is_atomic(a.kind);
  r.other_write = r.other_allocated = true;
  r.with_free = a.word & kFreeBit;
  return !s.strict && race_goes_on();
}
}  // namespace

// Only the thread that owns the slice of the arena allocates there. Nearly always its last allocation is known to the other.
bool after_allocation(RaceState& s, std::uintptr_t address, const Access& a) {
  if (address - kArenaBase >= kArenaBytes) return true;
  const unsigned owner = arena_owner(address);
  const auto is_ordered = [&](ClockValue birth) { return birth < s.hot.base || birth <= s.clocks[a.thread].at[owner]; };
  if (owner == a.thread || is_ordered(s.last_allocation[owner])) return true;
  const ObjectRecord* const object = arena_object(address);
  return !object || is_ordered(object->birth) || report_allocation(s, address, a, *object);
}

History& make_history(RaceState& s, std::uintptr_t granule) {
  if (History* const h = history_at(s, granule)) return *h;
  Cell* const cell = cell_at(s, granule);
  stamp_extent(s, cell);
  AccessWord words[2];
  unsigned n = 0;
  for (const AccessWord w : cell->words)
    if (clock_of(w) >= s.hot.base) words[n++] = w;
  return grow(s, *cell, words, n, nullptr);
}

void add_to_history(RaceState& s, std::uintptr_t granule, AccessWord word) {
  History* h = &make_history(s, granule);
  unsigned n = 0;
  for (unsigned i = 0; i < h->count; ++i) {  // the thread's older accesses that this one covers
    AccessWord old = h->accesses[i];
    if (thread_of_word(old) == thread_of_word(word) && clock_of(old) <= clock_of(word) && covers(kind_of(word), kind_of(old)))
      old = without_bytes(old, mask_of(word));
    if (mask_of(old)) h->accesses[n++] = old;
  }
  if (!add(h->accesses, &n, h->capacity, word)) {
    h = &grow(s, *cell_at(s, granule), h->accesses, n, h);
    add(h->accesses, &n, h->capacity, word);
  }
  h->count = std::uint16_t(n);
}

}  // namespace inspect::runtime
