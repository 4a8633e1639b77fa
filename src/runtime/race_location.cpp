// Locations: the accesses to each four bytes that still matter, and the check of a new one against them.
//
// An access is dropped from the record when a later one, ordered after it, conflicts with all that it conflicts with: whoever is
// unordered with the dropped access is unordered with the later one as well.
#include <string.h>

#include "runtime/race_state.hpp"

namespace inspect::runtime {
namespace {

// More accesses than a cell holds, in blocks of 64 bytes.
struct History {
  std::uint16_t count, capacity;
  std::uint32_t unused;
  std::uint32_t releases[4];  // of each byte: number of its release clock
  AccessWord accesses[];
};
constexpr unsigned kBlock = 64;
constexpr unsigned capacity_of(unsigned blocks) { return unsigned((blocks * kBlock - sizeof(History)) / sizeof(AccessWord)); }
constexpr unsigned kFirstBlocks = 1, kMostBlocks = 512;

struct Access {
  unsigned thread;
  AccessKind kind;
  unsigned size;  // of the whole access
  std::uint32_t site;
  AccessWord word;  // with no bytes yet
  std::uintptr_t begin;
};

History& history(std::uint32_t block) { return *reinterpret_cast<History*>(kHistories + std::uintptr_t(block) * kBlock); }
constexpr bool is_reference(AccessWord w) { return mask_of(w) == 0; }
constexpr std::uint32_t block_of(AccessWord w) {
  return (std::uint32_t(w) & ((1u << kMaskShift) - 1)) | std::uint32_t(w >> kKindShift & 0x1ff) << kMaskShift;
}
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
    case AccessKind::write: return true;
    case AccessKind::atomic_read: return old == AccessKind::atomic_read;
    default: return old == now || old == AccessKind::atomic_read;
  }
}

std::uint32_t new_history(RaceState& s, unsigned blocks) {
  if (s.history_blocks + blocks > kHistoriesBytes / kBlock) {
    s.hot.incomplete = true;
    return 0;
  }
  const std::uint32_t block = s.history_blocks;
  s.history_blocks += blocks;
  History& h = history(block);
  h.count = 0;
  h.capacity = std::uint16_t(capacity_of(blocks));
  memset(h.releases, 0, sizeof h.releases);
  return block;
}

std::uint32_t interned_site(RaceState& s, std::uint32_t site) {
  constexpr std::uint32_t kDirect = 1u << (kSiteBits - 1);
  static_assert(kInternedSites <= kDirect);
  if (site < kDirect) return site;
  std::uint32_t slot = (site * 0x9E3779B1u) % kInternedSites;
  for (unsigned probe = 0; probe < 64; ++probe, slot = (slot + 1) % kInternedSites) {
    if (!s.interned[slot]) s.interned[slot] = site;
    if (s.interned[slot] == site) return kDirect + slot;
  }
  return 0;  // unknown: a matter of the message only
}
std::uint32_t full_site(const RaceState& s, std::uint32_t number) {
  constexpr std::uint32_t kDirect = 1u << (kSiteBits - 1);
  return number < kDirect ? number : s.interned[number - kDirect];
}

bool ordered(const RaceState& s, AccessWord old, unsigned thread) {
  const unsigned other = thread_of_word(old);
  return other == thread || clock_of(old) <= s.clocks[thread].at[other];
}

bool report(RaceState& s, const Access& a, AccessWord old, std::uintptr_t granule, unsigned overlap) {
  const bool with_free = (a.word | old) & kFreeBit;
  s.report = {granule + unsigned(__builtin_ctz(overlap)), a.size, std::uint8_t(a.thread), std::uint8_t(thread_of_word(old)),
              a.site, full_site(s, site_of(old)), is_write(a.kind), is_write(kind_of(old)), is_atomic(a.kind),
              is_atomic(kind_of(old)), with_free};
  return false;
}

// Of n recorded accesses at `words`, keeps what still matters beside the new one; false if one of them races with it.
// *known: the new access says nothing new.
bool sift(RaceState& s, const Access& a, std::uintptr_t granule, unsigned mask, AccessWord* words, unsigned* n, bool* known) {
  unsigned kept = 0;
  for (unsigned i = 0; i < *n; ++i) {
    AccessWord old = words[i];
    const unsigned overlap = mask_of(old) & mask;
    if (overlap) {
      const bool is_ordered = ordered(s, old, a.thread);
      if (!is_ordered && conflict(a.kind, kind_of(old))) return report(s, a, old, granule, overlap);
      const bool same_epoch = (old ^ a.word) >> kThreadShift == 0;
      if (same_epoch && overlap == mask && !((old | a.word) & kFreeBit) && covers(kind_of(old), a.kind)) *known = true;
      // A frame's end is forgotten once its thread uses the bytes again.
      if (is_ordered && !*known && (covers(a.kind, kind_of(old)) || ((old & kFreeBit) && thread_of_word(old) == a.thread)))
        old = without_bytes(old, overlap);
    }
    if (mask_of(old)) words[kept++] = old;
  }
  *n = kept;
  return true;
}

// Adds a word, as more bytes of an equal access if there is one. False: no room.
bool add(AccessWord* words, unsigned* n, unsigned capacity, AccessWord word) {
  constexpr AccessWord kMaskBits = 15ull << kMaskShift;
  for (unsigned i = 0; i < *n; ++i) {
    if ((words[i] ^ word) & ~kMaskBits) continue;
    words[i] |= word;
    return true;
  }
  if (*n == capacity) return false;
  words[(*n)++] = word;
  return true;
}

// Moves the accesses of a cell or of a full history to a new, larger history; 0 when memory for records is used up.
std::uint32_t grow(RaceState& s, Cell& cell, const AccessWord* words, unsigned n, const History* old) {
  const unsigned blocks = old ? 2 * unsigned((sizeof(History) + old->capacity * sizeof(AccessWord) + kBlock - 1) / kBlock) : kFirstBlocks;
  if (blocks > kMostBlocks) {
    s.hot.incomplete = true;
    return 0;
  }
  const std::uint32_t block = new_history(s, blocks);
  if (!block) return 0;
  History& h = history(block);
  h.count = std::uint16_t(n);
  for (unsigned i = 0; i < n; ++i) h.accesses[i] = words[i];
  if (old) memcpy(h.releases, old->releases, sizeof h.releases);
  cell.words[0] = reference_to(s.hot.base, block);
  cell.words[1] = 0;
  return block;
}

// In a cell with a history the second word is the last access: a repetition is recognised by it alone.
bool touch_history(RaceState& s, Cell& cell, History& h, const Access& a, std::uintptr_t granule, unsigned mask) {
  const AccessWord word = a.word | AccessWord(mask) << kMaskShift;
  if (same_access(cell.words[1], word)) return true;
  unsigned n = h.count;
  bool known = false;
  if (!sift(s, a, granule, mask, h.accesses, &n, &known)) return false;
  History* now = &h;
  if (!known && !add(h.accesses, &n, h.capacity, word)) {
    const std::uint32_t block = grow(s, cell, h.accesses, n, &h);
    if (!block) return true;
    now = &history(block);
    add(now->accesses, &n, now->capacity, word);
  }
  now->count = std::uint16_t(n);
  cell.words[1] = word & kFreeBit ? 0 : word;
  return true;
}

bool touch_cell(RaceState& s, Cell& cell, const Access& a, std::uintptr_t granule, unsigned mask) {
  const AccessWord first = cell.words[0], second = cell.words[1];
  AccessWord words[3];
  unsigned n = 0;
  if (clock_of(first) >= s.hot.base) {
    if (is_reference(first)) return touch_history(s, cell, history(block_of(first)), a, granule, mask);
    words[n++] = first;
  }
  if (clock_of(second) >= s.hot.base) words[n++] = second;
  bool known = false;
  if (n && !sift(s, a, granule, mask, words, &n, &known)) return false;
  if (!known) add(words, &n, 3, a.word | AccessWord(mask) << kMaskShift);
  if (n == 3) {
    grow(s, cell, words, n, nullptr);
    return true;
  }
  // Writes in front, where the fast path looks for them.
  const bool swap = n == 2 ? !is_write(kind_of(words[0])) : n == 1 && !is_write(kind_of(words[0]));
  cell.words[swap] = n ? words[0] : 0;
  cell.words[!swap] = n == 2 ? words[1] : 0;
  return true;
}

// The region's shadow, assigned on first touch; 0 when all slots are taken or the address is not of user space.
std::uintptr_t region_shadow(RaceState& s, std::uintptr_t address) {
  const std::uintptr_t region = address >> kRegionBits;
  if (region >= sizeof s.hot.regions / sizeof *s.hot.regions) return 0;
  if (!s.hot.regions[region]) {
    if (s.hot.region_count == kRegionSlots) {
      s.hot.incomplete = true;
      return 0;
    }
    s.hot.regions[region] = kRaceCells + s.hot.region_count++ * kRegionCellBytes - 4 * (region << kRegionBits);
  }
  return s.hot.regions[region];
}

Cell* cell_at(RaceState& s, std::uintptr_t granule) {
  const std::uintptr_t shadow = region_shadow(s, granule);
  return shadow ? reinterpret_cast<Cell*>(shadow + 4 * granule) : nullptr;
}

// 64 KB of cells; stamped when one of them is written.
ClockValue& extent_of(const Cell* cell) { return reinterpret_cast<ClockValue*>(kExtents)[(std::uintptr_t(cell) - kRaceCells) >> 16]; }
constexpr std::uintptr_t kExtentBytes = 65536 / sizeof(Cell) * 4;  // of program memory

constexpr unsigned bytes_mask(std::uintptr_t granule, std::uintptr_t begin, std::uintptr_t end) {
  const unsigned low = granule < begin ? unsigned(begin - granule) : 0;
  const unsigned high = end - granule < 4 ? unsigned(end - granule) : 4;
  return ((1u << high) - 1) & ~((1u << low) - 1);
}

Access make_access(RaceState& s, unsigned thread, std::uintptr_t address, std::size_t size, AccessKind kind, std::uint32_t site,
                   bool ends_life) {
  const AccessWord word = s.hot.epoch[thread] | AccessWord(kind) << kKindShift | (ends_life ? kFreeBit : 0) | interned_site(s, site);
  return {thread, kind, unsigned(size), site, word, address};
}

History* history_at(RaceState& s, std::uintptr_t address) {
  Cell* const cell = cell_at(s, address);
  if (!cell) return nullptr;
  const AccessWord first = cell->words[0];
  return clock_of(first) >= s.hot.base && is_reference(first) ? &history(block_of(first)) : nullptr;
}

}  // namespace

bool touch_range(RaceState& s, unsigned thread, std::uintptr_t address, std::size_t size, AccessKind kind, std::uint32_t site,
                 bool ends_life) {
  const std::uintptr_t end = address + size;
  if (end <= address) return true;  // nothing, or past the end of the address space: the access itself will fault
  const Access a = make_access(s, thread, address, size, kind, site, ends_life);
  for (std::uintptr_t granule = address & ~3ul; granule < end; granule += 4) {
    Cell* const cell = cell_at(s, granule);
    if (!cell) continue;
    ClockValue& extent = extent_of(cell);
    if (extent != s.hot.base) extent = s.hot.base;
    if (!touch_cell(s, *cell, a, granule, bytes_mask(granule, address, end))) return false;
  }
  return true;
}

bool check_range(RaceState& s, unsigned thread, std::uintptr_t address, std::size_t size, std::uint32_t site) {
  const std::uintptr_t end = address + size;
  const Access a = make_access(s, thread, address, size, AccessKind::write, site, true);
  for (std::uintptr_t granule = address & ~3ul; granule < end; granule += 4) {
    Cell* const cell = cell_at(s, granule);
    if (!cell || extent_of(cell) != s.hot.base) {
      granule |= kExtentBytes - 4;  // nothing here in this execution
      continue;
    }
    const AccessWord* words = cell->words;
    unsigned n = 2;
    if (const History* h = history_at(s, granule)) {
      words = h->accesses;
      n = h->count;
    }
    for (unsigned i = 0; i < n; ++i) {
      const unsigned overlap = mask_of(words[i]) & bytes_mask(granule, address, end);
      if (clock_of(words[i]) < s.hot.base || !overlap || ordered(s, words[i], thread)) continue;
      return report(s, a, words[i], granule, overlap);
    }
  }
  return true;
}

std::uint32_t* release_numbers(RaceState& s, std::uintptr_t address) {
  History* const h = history_at(s, address);
  return h ? h->releases : nullptr;
}

std::uint32_t* make_release_numbers(RaceState& s, std::uintptr_t address) {
  if (History* const h = history_at(s, address)) return h->releases;
  Cell* const cell = cell_at(s, address);
  if (!cell) return nullptr;
  AccessWord words[2];
  unsigned n = 0;
  for (const AccessWord w : cell->words)
    if (clock_of(w) >= s.hot.base) words[n++] = w;
  const std::uint32_t block = grow(s, *cell, words, n, nullptr);
  return block ? history(block).releases : nullptr;
}

}  // namespace inspect::runtime
