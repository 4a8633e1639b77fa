#include "runtime/states/memory_hash.hpp"

#include <string.h>

#include "runtime/memory/snapshot.hpp"
#include "runtime/platform/mutation.hpp"
#include "runtime/platform/not_state.hpp"
#include "runtime/states/addresses.hpp"
#include "runtime/states/sync_objects.hpp"
#include "runtime/upcalls/reports.hpp"

extern "C" {
INSPECT_NOT_STATE std::int64_t inspect_unreported_write = 0;
}

namespace inspect::runtime {
namespace {

constexpr unsigned kPageBits = 12, kLineBits = 6, kLines = 64, kWords = 8;
constexpr std::size_t kPageBytes = 1ul << kPageBits, kLineBytes = 1ul << kLineBits;
constexpr unsigned kMostPages = 1u << 16, kSlots = 2 * kMostPages, kMostPieces = 1024;
constexpr unsigned kMostOrderedPages = 4096;
constexpr std::size_t kSmallRange = 1ul << 20;  // a larger change is found by looking

enum class Kind : std::uint8_t { other, data, mixed, heap, large, boot_heap };

// Of four kilobytes that were changed in some execution of this process.
struct Page {
  std::uintptr_t begin;
  const char* base;  // of `data`: as it was at the snapshot
  std::uint64_t dirty, differs,
      addresses,  // lines: perhaps changed; not as at the snapshot; of those, with addresses, and no heap
      fixed;      // of those, without addresses, and no heap
  std::uint64_t low[kLines], high[kLines];  // of lines that differ; else 0
  Kind kind;
};

// A part of the data of program or libraries that is part of the state.
struct Piece {
  std::uintptr_t begin, end;
  const char* base;
};

struct Table {
  bool ready, overflow;
  bool unseen;  // something may have changed that nobody told of
  unsigned page_count, dirty_count, piece_count;
  std::uintptr_t last;  // page that was marked last
  Page* last_page;
  MemoryHash lines, objects, objects_at_boot;
  MemoryHash fixed, boot_objects;  // of lines that are `fixed`; of objects of constructors
  std::uint32_t ordered[kMostOrderedPages];
  Piece pieces[kMostPieces];
  std::uint32_t slots[kSlots];  // 1 + number of a page
  std::uint32_t dirty[kMostPages];
  Page pages[kMostPages];
};
static_assert(sizeof(Table) <= kMemoryHashBytes);
Table& table() { return *reinterpret_cast<Table*>(kMemoryHash); }

void add(MemoryHash& sum, std::uint64_t low, std::uint64_t high) {
  sum.low += low;
  sum.high += high;
}
void subtract(MemoryHash& sum, std::uint64_t low, std::uint64_t high) { add(sum, ~low + 1, ~high + 1); }

bool is_address(std::uint64_t v) {
  return v - kArenaBase < kArenaBytes || v - kStackBase < kStackSlot * INSPECT_MAX_THREADS ||
         v - kThreadLocalsBase < kThreadLocalsSlice * INSPECT_MAX_THREADS;
}

// Has a constructor allocated from the part of the heap that the address lies in? What is before its first object is none.
bool holds_boot_objects(std::uintptr_t address) {
  const ThreadArena& boot = arena_state().snapshot[(address - kArenaBase) / kArenaSlice];
  return boot.small_count || boot.large_count;
}

struct Line {
  std::uint64_t now[kWords], base[kWords];

  [[nodiscard]] bool differs() const {
    std::uint64_t d = 0;
    for (unsigned i = 0; i < kWords; ++i) d |= now[i] ^ base[i];
    return d;
  }
  // Or what may be one that is not aligned; `of_threads`: or of their stacks.
  [[nodiscard]] bool has_addresses(bool of_threads) const {
    for (const std::uint64_t v : now)
      if (is_address(v) || has_byte(v, kTopOfHeap) || (of_threads && has_byte(v, kTopOfThreads))) return true;
    return false;
  }
};

Kind kind_of(std::uintptr_t page, const char** base) {
  const Table& t = table();
  if (page - kArenaBase < kArenaBytes) {
    if (is_of_boot(page)) return Kind::boot_heap;
    return is_large_place(page) ? Kind::large : Kind::heap;
  }
  for (unsigned i = 0; i < t.piece_count; ++i) {
    const Piece& p = t.pieces[i];
    if (p.end <= page || p.begin >= page + kPageBytes) continue;
    if (p.begin > page || p.end < page + kPageBytes) return Kind::mixed;
    *base = p.base + (page - p.begin);
    return Kind::data;
  }
  return Kind::other;
}

// Of the line, what belongs to the state; the rest is left as it is in the result.
void read_mixed(std::uintptr_t at, Line& line) {
  const Table& t = table();
  for (unsigned i = 0; i < t.piece_count; ++i) {
    const Piece& p = t.pieces[i];
    const std::uintptr_t begin = p.begin > at ? p.begin : at, end = p.end < at + kLineBytes ? p.end : at + kLineBytes;
    if (begin >= end) continue;
    memcpy(reinterpret_cast<char*>(line.now) + (begin - at), reinterpret_cast<const void*>(begin), end - begin);
    memcpy(reinterpret_cast<char*>(line.base) + (begin - at), p.base + (begin - p.begin), end - begin);
  }
}

// Small objects: dead bytes are zeroes, as fresh memory is.
void read_heap(std::uintptr_t at, Line& line) {
  std::uint64_t alive;
  memcpy(&alive, liveness_of(at), sizeof alive);
  const auto* words = reinterpret_cast<const std::uint64_t*>(at);
  for (unsigned i = 0; i < kWords; ++i)
    if (alive >> (8 * i) & 0xff) line.now[i] = words[i];
}

void read_boot_heap(std::uintptr_t at, Line& line) {
  memcpy(line.now, reinterpret_cast<const void*>(at), kLineBytes);
  std::size_t left;
  if (const char* copy = arena_at_snapshot(at, &left)) memcpy(line.base, copy, left < kLineBytes ? left : kLineBytes);
}

// What is beyond the end of the object, or freed, counts as zeroes.
void read_large(std::uintptr_t at, Line& line) {
  const std::size_t alive = alive_of_large(at);
  memcpy(line.now, reinterpret_cast<const void*>(at), alive < kLineBytes ? alive : kLineBytes);
}

Line read_line(Kind kind, const char* base, std::uintptr_t at) {
  Line line;
  if (kind == Kind::data) {
    memcpy(line.now, reinterpret_cast<const void*>(at), kLineBytes);
    memcpy(line.base, base, kLineBytes);
    return line;
  }
  memset(&line, 0, sizeof line);
  if (kind == Kind::mixed)
    read_mixed(at, line);
  else if (kind == Kind::boot_heap && is_of_boot(at))
    read_boot_heap(at, line);
  else if (kind == Kind::heap || kind == Kind::boot_heap)
    read_heap(at, line);
  else if (kind == Kind::large)
    read_large(at, line);
  return line;
}

MemoryHash hash_of(std::uintptr_t at, const Line& line) {
  StateHash h;
  h.word(at);
  h.bytes(line.now, sizeof line.now);
  return {h.low(), h.high()};
}

unsigned& slot_of(std::uintptr_t page) {
  Table& t = table();
  std::uint64_t i = (page >> kPageBits) * 0x9E3779B97F4A7C15ull >> 40;
  for (;; ++i) {
    std::uint32_t& slot = t.slots[i % kSlots];
    if (!slot || t.pages[slot - 1].begin == page) return slot;
  }
}

// Null if there are too many.
Page* page_of(std::uintptr_t begin) {
  Table& t = table();
  std::uint32_t& slot = slot_of(begin);
  if (slot) return &t.pages[slot - 1];
  if (t.page_count == kMostPages - 1) {
    t.overflow = true;
    return nullptr;
  }
  Page& p = t.pages[t.page_count];
  p.begin = begin;
  p.kind = kind_of(begin, &p.base);
  slot = ++t.page_count;
  return &p;
}

void mark_lines(Page& p, std::uint64_t lines) {
  Table& t = table();
  if (!p.dirty) t.dirty[t.dirty_count++] = std::uint32_t(&p - t.pages);
  p.dirty |= lines;
}

// Where only addresses are asked for, nothing is hashed.
template <bool hashed>
void refresh(Page& p) {
  Table& t = table();
  const bool names_threads = threads_trade_places();
  for (std::uint64_t m = p.dirty; m; m &= m - 1) {
    const unsigned i = unsigned(__builtin_ctzll(m));
    const std::uint64_t bit = 1ull << i;
    const std::uintptr_t at = p.begin + i * kLineBytes;
    const Line line = read_line(p.kind, p.base + i * kLineBytes, at);
    subtract(t.lines, p.low[i], p.high[i]);
    if (p.fixed & bit) subtract(t.fixed, p.low[i], p.high[i]);
    const bool differs = line.differs();
    const MemoryHash h = differs && hashed ? hash_of(at, line) : MemoryHash{};
    p.low[i] = h.low;
    p.high[i] = h.high;
    add(t.lines, h.low, h.high);
    p.differs = differs ? p.differs | bit : p.differs & ~bit;
    const bool is_heap = at - kArenaBase < kArenaBytes && !(is_of_boot(at) && holds_boot_objects(at));
    const bool addresses =
        differs && !is_heap && (line.has_addresses(names_threads) || (names_threads && holds_sync_objects(at, kLineBytes)));
    p.addresses = addresses ? p.addresses | bit : p.addresses & ~bit;
    const bool fixed = differs && !is_heap && !addresses;
    p.fixed = fixed ? p.fixed | bit : p.fixed & ~bit;
    if (fixed) add(t.fixed, h.low, h.high);
  }
  p.dirty = 0;
}

void look_everywhere();

// False if not all that was changed is known.
template <bool hashed>
bool refresh_all() {
  Table& t = table();
  if ((t.unseen || inspect_unreported_write) && !t.overflow) look_everywhere();
  t.unseen = false;
  inspect_unreported_write = 0;
  if (t.overflow) return false;
  for (unsigned i = 0; i < t.dirty_count; ++i) refresh<hashed>(t.pages[t.dirty[i]]);
  t.dirty_count = 0;
  return true;
}

// Is the page as it was, without a look at every line?
bool surely_same(Kind kind, const char* base, std::uintptr_t page) {
  static constexpr char kZeroes[kPageBytes] = {};
  if (kind == Kind::data) return !memcmp(reinterpret_cast<const void*>(page), base, kPageBytes);
  if (kind == Kind::boot_heap) {
    std::size_t left;
    const char* const copy = arena_at_snapshot(page, &left);
    return copy && left >= kPageBytes && !memcmp(reinterpret_cast<const void*>(page), copy, kPageBytes);
  }
  return (kind == Kind::heap || kind == Kind::large) && !memcmp(reinterpret_cast<const void*>(page), kZeroes, kPageBytes);
}

// Calls f(page) for all pages of data and heap that may differ from the snapshot; some twice in a row.
template <class F>
void for_each_page(F&& f) {
  const Table& t = table();
  const auto range = [&](std::uintptr_t begin, std::uintptr_t end) {
    for (std::uintptr_t page = begin & ~(kPageBytes - 1); page < end; page += kPageBytes) f(page);
  };
  for (unsigned i = 0; i < t.piece_count; ++i) range(t.pieces[i].begin, t.pieces[i].end);
  for (unsigned thread = 0; thread < state().execution.thread_limit; ++thread) {
    const ThreadArena& a = arena_state().threads[thread];
    const std::uintptr_t slice = kArenaBase + thread * kArenaSlice;
    if (a.small_count) range(slice, a.small_break);
    for (std::uint32_t i = 0; i < a.large_count; ++i) {
      const ObjectRecord& r = large_records(thread)[i];
      range(r.begin, r.begin + r.size);
    }
  }
}

void look_everywhere() {
  Table& t = table();
  for_each_page([&](std::uintptr_t page) {
    if (t.overflow) return;
    const char* base = nullptr;
    if (!slot_of(page) && surely_same(kind_of(page, &base), base, page)) return;
    if (Page* p = page_of(page)) mark_lines(*p, ~0ull);
  });
}

void find_pieces() {
  Table& t = table();
  const auto piece = [&](const WritableData& data, const char* begin, const char* end) {
    if (begin >= end || t.piece_count == kMostPieces) return;
    t.pieces[t.piece_count++] = {reinterpret_cast<std::uintptr_t>(begin), reinterpret_cast<std::uintptr_t>(end),
                                 data.copy + (begin - data.address)};
  };
  for (unsigned i = 0; i < writable_count(); ++i) {
    const WritableData data = writable(i);
    const char *at = data.address, *const end = data.address + data.size;
    Excluded parts[3];
    const unsigned count = excluded(data, parts);
    for (unsigned k = 0; k < count; ++k) {
      if (parts[k].end <= at || parts[k].begin >= end) continue;
      piece(data, at, parts[k].begin);
      at = parts[k].end < end ? parts[k].end : end;
    }
    piece(data, at, end);
  }
}

MemoryHash hash_of_object(const ObjectRecord& r) {
  StateHash h;
  h.word(r.begin);
  h.word(r.size | std::uint64_t(r.freed) << 32);
  return {h.low(), h.high()};
}

MemoryHash hash_of_objects() {
  MemoryHash sum{};
  for (unsigned i = 0; i < INSPECT_MAX_THREADS; ++i)
    for_each_object(i, [&](const ObjectRecord& r) {
      const MemoryHash h = hash_of_object(r);
      add(sum, h.low, h.high);
    });
  return sum;
}

MemoryHash total(const MemoryHash& lines, const MemoryHash& objects) {
  return {lines.low + objects.low, lines.high + objects.high};
}

#ifdef INSPECT_MUTANTS
[[noreturn]] void report_unnoted() {
  const Table& t = table();
  std::uintptr_t where = 0;
  for_each_page([&](std::uintptr_t page) {
    const char* base = nullptr;
    const Kind kind = kind_of(page, &base);
    const std::uint32_t slot = slot_of(page);
    for (unsigned i = 0; i < kLines && !where; ++i) {
      const std::uintptr_t at = page + i * kLineBytes;
      const Line line = read_line(kind, base + i * kLineBytes, at);
      const MemoryHash real = line.differs() ? hash_of(at, line) : MemoryHash{};
      if (real.low != (slot ? t.pages[slot - 1].low[i] : 0)) where = at;
    }
  });
  report_unsupported(format_message("a change of memory near %lx was not noted", where), 0);
}
#endif

MemoryHash checked(const MemoryHash& kept) {
#ifdef INSPECT_MUTANTS
  const MemoryHash real = memory_hash_from_scratch();
  if (kept.low != real.low || kept.high != real.high) report_unnoted();
#endif
  return kept;
}

}  // namespace

void begin_memory_hash() {
  Table& t = table();
  inspect_unreported_write = 0;
  t.unseen = false;
  if (!t.ready) {
    t.ready = true;
    find_pieces();
    t.objects_at_boot = hash_of_objects();
  }
  for (unsigned k = 0; k < t.page_count; ++k) {
    Page& p = t.pages[k];
    for (std::uint64_t m = p.differs; m; m &= m - 1) p.low[__builtin_ctzll(m)] = p.high[__builtin_ctzll(m)] = 0;
    p.dirty = p.differs = p.addresses = p.fixed = 0;
  }
  t.dirty_count = 0;
  t.last = 0;
  t.lines = t.fixed = t.boot_objects = {};
  t.objects = t.objects_at_boot;
}

void mark_changed(std::uintptr_t address, std::size_t size) {
  Table& t = table();
  if (!size || address - kStackBase < kStackSlot * INSPECT_MAX_THREADS) return;
  if (size > kSmallRange) {
    t.unseen = true;
    return;
  }
  const std::uintptr_t end = address + size - 1;
  for (std::uintptr_t page = address & ~(kPageBytes - 1); page <= end; page += kPageBytes) {
    if (page != t.last || !t.last) {
      Page* const p = page_of(page);
      if (!p) return;
      t.last = page;
      t.last_page = p;
    }
    const unsigned first = page >= address ? 0 : unsigned((address - page) >> kLineBits);
    const unsigned last = end - page >= kPageBytes ? kLines - 1 : unsigned((end - page) >> kLineBits);
    mark_lines(*t.last_page, ~0ull >> (kLines - 1 - last) & ~0ull << first);
  }
}

MemoryHash memory_hash() {
  if (!refresh_all<true>()) return memory_hash_from_scratch();
  return checked(total(table().lines, table().objects));
}

void find_addresses() { refresh_all<false>(); }

MemoryHash memory_hash_from_scratch() {
  MemoryHash lines{};
  std::uintptr_t done = 0;
  for_each_page([&](std::uintptr_t page) {
    const char* base = nullptr;
    const Kind kind = kind_of(page, &base);
    if (page == done || surely_same(kind, base, page)) return;
    done = page;
    for (unsigned i = 0; i < kLines; ++i) {
      const Line line = read_line(kind, base + i * kLineBytes, page + i * kLineBytes);
      if (!line.differs()) continue;
      const MemoryHash h = hash_of(page + i * kLineBytes, line);
      add(lines, h.low, h.high);
    }
  });
  return total(lines, hash_of_objects());
}

// A call that is not known to tell of all it changes may do so behind its operation too.
void leave_interval(Thread& t) {
  t.unreported_write = inspect_unreported_write || (t.unreported_write && t.stops > 1);
  if (inspect_unreported_write) table().unseen = true;
  inspect_unreported_write = 0;
}
void enter_interval(const Thread& t) {
  if (t.unreported_write) table().unseen = true;
}

void count_object(const ObjectRecord& r, bool is_there) {
  if (!state().request.states) return;
  const MemoryHash h = hash_of_object(r);
  MemoryHash& sum = table().objects;
  is_there ? add(sum, h.low, h.high) : subtract(sum, h.low, h.high);
  if (!is_of_boot(r.begin)) return;
  MemoryHash& boot = table().boot_objects;
  is_there ? add(boot, h.low, h.high) : subtract(boot, h.low, h.high);
}

namespace {

// False if f says so. What of the line belongs to the state.
bool visit_line(const Page& page, unsigned line, PartVisitor f, void* context) {
  const Table& t = table();
  const std::uintptr_t at = page.begin + line * kLineBytes;
  if (page.kind != Kind::mixed) return f(context, at, kLineBytes);
  for (unsigned i = 0; i < t.piece_count; ++i) {
    const Piece& p = t.pieces[i];
    const std::uintptr_t begin = p.begin > at ? p.begin : at, end = p.end < at + kLineBytes ? p.end : at + kLineBytes;
    if (begin < end && !f(context, begin, end - begin)) return false;
  }
  return true;
}

// The pages of which f holds, in order of address; how many, or -1 if there are too many. In the table they stand in the order
// in which they were changed first.
template <class F>
int order_pages(F&& f) {
  Table& t = table();
  unsigned count = 0;
  for (unsigned k = 0; k < t.page_count; ++k) {
    if (!f(t.pages[k])) continue;
    if (count == kMostOrderedPages) return -1;
    unsigned i = count++;
    for (; i && t.pages[t.ordered[i - 1]].begin > t.pages[k].begin; --i) t.ordered[i] = t.ordered[i - 1];
    t.ordered[i] = k;
  }
  return int(count);
}

// Lines, by `lines` of their page, and objects.
template <class Lines, class Objects>
void describe(StateHash& hash, Lines&& lines, Objects&& has) {
  const Table& t = table();
  if (mutated(Mutation::descriptions_lack_memory)) return;
  const int count = t.overflow ? -1 : order_pages([&](const Page& p) { return lines(p) != 0; });
  if (count < 0) return hash.give_up_words();
  for (int k = 0; k < count; ++k) {
    const Page& p = t.pages[t.ordered[k]];
    for (std::uint64_t m = lines(p); m; m &= m - 1) {
      const unsigned i = unsigned(__builtin_ctzll(m));
      const std::uintptr_t at = p.begin + i * kLineBytes;
      const Line line = read_line(p.kind, p.base + i * kLineBytes, at);
      hash.word(at);
      hash.bytes(line.now, sizeof line.now);
    }
  }
  hash.word(0);  // no line begins there, and no object
  for (unsigned i = 0; i < INSPECT_MAX_THREADS; ++i)
    for_each_object(i, [&](const ObjectRecord& r) {
      if (!has(r)) return;
      hash.word(r.begin);
      hash.word(r.size | std::uint64_t(r.freed) << 32);
    });
  hash.word(0);
}

bool visit_lines_with_addresses(const Page& page, PartVisitor f, void* context) {
  for (std::uint64_t m = page.addresses; m; m &= m - 1)
    if (!visit_line(page, unsigned(__builtin_ctzll(m)), f, context)) return false;
  return true;
}

}  // namespace

bool all_parts_with_addresses(PartVisitor f, void* context) {
  const Table& t = table();
  if (t.overflow) return false;
  for (unsigned k = 0; k < t.page_count; ++k)
    if (!visit_lines_with_addresses(t.pages[k], f, context)) return false;
  return true;
}

bool memory_hash_but_for_addresses(PartVisitor f, void* context, MemoryHash* rest) {
  const Table& t = table();
  if (!refresh_all<true>()) return false;
  const int count = order_pages([](const Page& p) { return p.addresses != 0; });
  for (int i = 0; i < count; ++i)
    if (!visit_lines_with_addresses(t.pages[t.ordered[i]], f, context)) return false;
  *rest = total(t.fixed, t.boot_objects);
  return count >= 0;
}

void describe_memory(StateHash& hash) {
  describe(hash, [](const Page& p) { return p.differs; }, [](const ObjectRecord&) { return true; });
}

void describe_memory_but_for_addresses(StateHash& hash) {
  describe(hash, [](const Page& p) { return p.fixed; }, [](const ObjectRecord& r) { return is_of_boot(r.begin); });
}

}  // namespace inspect::runtime
